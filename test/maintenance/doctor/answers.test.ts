import { describe, expect, it } from "vitest";
import { diagnosis, silentServer, webServer } from "../../support/doctor.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { deadAddress } from "../../support/peers.ts";
import { shell } from "../../support/run.ts";
import { pointedAt } from "../../support/service.ts";

const doctor = ["doctor", "--json"];
const noOrders = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };

describe("what answers", () => {
  const only = (baseUrl: string): Record<string, string> => ({
    ...pointedAt(baseUrl),
    BPOS_CAMPAIGNS_URL: "",
  });

  it.each([
    ["a web page", 200, "<html>welcome</html>", "HTML instead of JSON"],
    ["a page of a sign-in", 403, "<html>sign in</html>", "HTML instead of JSON"],
    ["another program", 404, '{"detail":"Not Found"}', "not an error of the service"],
  ])("may be %s: then the address is wrong", async (_name, status, body, said) => {
    const url = await webServer((_request, response) => void response.writeHead(status).end(body));
    const { code, failed, row, unchecked } = diagnosis(await shell({ env: only(url) })(doctor));
    expect({ code, failed }).toEqual({ code: 2, failed: ["base_url_http"] });
    expect(row("base_url_http").detail).toContain(`${status}, but not from the service: ${said}`);
    expect(unchecked).toContain("base_url_access");
  });

  it("may be a redirect, or somebody who cannot answer now", async () => {
    const moved = await webServer(
      (_request, response) => void response.writeHead(301, { location: "https://new.example/x" }).end(),
    );
    const redirect = diagnosis(await shell({ env: only(moved) })(doctor));
    expect(redirect.code).toBe(2);
    expect(redirect.row("base_url_http").detail).toContain("https://new.example");
    for (const [status, wanted, code] of [
      [503, "fail", 6],
      [429, "warn", 0],
    ] as const) {
      const url = await webServer((_request, response) => void response.writeHead(status).end());
      const busy = diagnosis(await shell({ env: only(url) })(doctor));
      expect(busy.row("base_url_http").status).toBe(wanted);
      expect(busy.code).toBe(code);
    }
  });

  it("may be nobody: one failure, and the rest is not checked", async () => {
    const { code, failed, unchecked, row } = diagnosis(
      await shell({ env: only(await deadAddress()) })(doctor),
    );
    expect({ code, failed }).toEqual({ code: 6, failed: ["base_url_tcp"] });
    expect(unchecked).toEqual(["base_url_tls", "base_url_http", "base_url_access", "clock"]);
    expect(row("base_url_tcp").detail).toContain("ECONNREFUSED");
    expect(row("base_url_tcp").remedy).toContain("`bpos mock`");
  });

  it("is waited for no longer after Ctrl-C", async () => {
    const run = await shell({ env: only(await silentServer()) })(["doctor", "--timeout", "60s"], {
      onOutput: (text, stop) => {
        if (text.includes("Key  ")) stop();
      },
    });
    expect(run.code).toBe(130);
    expect(run.stderr).toContain("Not everything was read yet.");
  });
});

describe("the clock", () => {
  it.each([
    ["a minute ahead", 60_000, "pass", 0],
    ["three minutes ahead", 180_000, "warn", 0],
    ["two hours ahead", 7_200_000, "fail", 9],
    // A push does not refuse it either.
    ["two hours behind", -7_200_000, "warn", 0],
  ])("%s", async (_name, ms, status, code) => {
    const noon = Date.UTC(2026, 0, 1, 12);
    const url = await webServer((_request, response) => {
      response.writeHead(200, { date: new Date(noon).toUTCString() });
      response.end(JSON.stringify(noOrders));
    });
    const env = { ...pointedAt(url), BPOS_CAMPAIGNS_URL: "" };
    const found = diagnosis(await shell({ env, clock: fakeClock(noon + ms) })(doctor));
    expect(found.row("clock").status).toBe(status);
    expect(found.code).toBe(code);
  });
});
