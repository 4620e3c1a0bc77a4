import { describe, expect, it } from "vitest";
import { fixture, type Run, shell, type World } from "../../support/run.ts";

/** Runs `bpos mock` on a free port; `visit` is called with its address once it says `ready`, and may stop it. */
function mock(flags: string[], world: World, visit: (url: string, text: string, stop: () => void) => void) {
  return shell()(["mock", "--port", "0", "--scenario", "empty", ...flags], {
    ...world,
    onOutput(text, stop) {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (url !== undefined && text.endsWith("\n")) visit(url, text, stop);
    },
  });
}
const uncoloured: World = { env: { NO_COLOR: "1" } };
const key = { "x-api-key": "bpk_demo_norte" };

describe("bpos mock on a terminal", () => {
  it("says where its console is and how to use it, and then each request with the reason of its refusal", async () => {
    let seen = 0;
    const { code, stdout, stderr } = await mock([], { ...uncoloured, terminal: 80 }, (url, text, stop) => {
      const lines = text.split("\n").filter((line) => /^\d\d:\d\d:\d\d {2}/.test(line)).length;
      if (lines < seen) return;
      seen += 1;
      if (lines === 0) void fetch(`${url}/v1/orders?status=nuevo`, { headers: key });
      else if (lines === 1) void fetch(`${url}/v1/orders`, { headers: { "x-api-key": "bpk_other_key" } });
      else stop();
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout) ?? [];
    expect(stdout).toContain(`Console             ${url}/\n`);
    expect(stdout).toMatch(/bpk_demo_centro {2}demo\n +bpk_demo_norte {3}norte\n/);
    expect(stdout).toContain(`export BPOS_MOCK=${url}\n`);
    expect(stdout).toContain("Ctrl-C");
    const [first = "", second = ""] = stdout.split(/^(?=\d\d:\d\d:\d\d )/m).slice(1);
    expect(first).toMatch(/^[\d:]{8} {2}GET {3}400 +\d+ ms {2}norte {2}\/v1\/orders\?status=nuevo\n/);
    // The reason is whole, below.
    expect(first.replace(/\s+/g, " ")).toContain("asignado, en_camino, entregado, rechazado, cancelado");
    expect(second).toMatch(
      /^[\d:]{8} {2}GET {3}403 +\d+ ms {2}— {6}\/v1\/orders {2}bpk_…_key {2}Invalid API key\.\n/,
    );
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("points to keys of a scenario of one's own, and speaks Spanish", async () => {
    const own = ["--scenario", fixture("scenario.json"), "--lang", "es"];
    const { stdout } = await mock(own, { ...uncoloured, terminal: 80 }, (_url, _text, stop) => stop());
    expect(stdout).toMatch(/^MOCK · Servicio mock en esta máquina, escenario sushi\n/);
    expect(stdout).toMatch(
      /export BPOS_BASE_URL=(\S+) BPOS_CAMPAIGNS_URL=\1\/messaging BPOS_API_KEY=bpk_sushi_belgrano\n/,
    );
  });
});

it.each<[string, string[], World]>([
  ["in a pipe", [], {}],
  ["with -o json on a terminal", ["-o", "json"], { terminal: 80 }],
])("bpos mock %s prints one line of JSON, whatever is asked of it", async (_where, flags, world) => {
  const { code, stdout } = await mock(flags, world, (url, _text, stop) => {
    void fetch(`${url}/v1/orders`, { headers: key }).then(stop);
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  const { base_url, ...line } = JSON.parse(stdout) as { base_url: string };
  expect(line).toEqual({
    campaigns_base_url: `${base_url}/messaging`,
    console_url: `${base_url}/`,
    keys: [
      { branch: "demo", store_id: "1", key: "bpk_demo_centro" },
      { branch: "norte", store_id: "2", key: "bpk_demo_norte" },
    ],
    pid: 4711,
  });
});

describe("bpos mock --open", () => {
  const opened = async (works: boolean): Promise<{ urls: string[]; run: Run }> => {
    const urls: string[] = [];
    let stopIt = (): void => undefined;
    const run = await mock(
      ["--open"],
      {
        onOpen(url) {
          urls.push(url);
          if (works) setImmediate(stopIt);
          return works;
        },
        onError: () => stopIt(),
      },
      (_url, _text, stop) => {
        stopIt = stop;
      },
    );
    return { urls, run };
  };

  it("opens the console", async () => {
    const { urls, run } = await opened(true);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(urls).toEqual([(JSON.parse(run.stdout) as { console_url: string }).console_url]);
  });

  it("says which address to open where no browser can be opened, and runs on", async () => {
    const { urls, run } = await opened(false);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`Open ${urls[0]!} yourself.`);
  });
});

it("names whoever has its port", async () => {
  const said: unknown[] = [];
  await mock([], uncoloured, (url, _text, stop) => {
    const { port } = new URL(url);
    const listeners = { [port]: 812 };
    void shell()(["mock", "--port", port], { ...uncoloured, listeners }).then(({ code, stderr }) => {
      said.push([code, stderr]);
      stop();
    });
  });
  expect(said).toEqual([[9, expect.stringMatching(/ Port \d+ on 127\.0\.0\.1 is in use by process 812\./)]]);
});
