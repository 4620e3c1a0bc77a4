import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parse as parseCsv } from "csv-parse/sync";
import { describe, expect, it, onTestFinished } from "vitest";
import { campaignServer, person, statusOf } from "../../support/campaign-server.ts";
import { created, parse, people, phone, recipientsFile, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { on, reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";
import { sized } from "../../support/soak.ts";

const status = (...more: string[]): string[] => ["campaign", "status", ...more];
const body = (of: unknown): { body: unknown } => ({ body: of });
const sent = statusOf("c1", [person(1, "sent"), person(2, "sent")], { pending: 0 });
const half = statusOf("c1", [person(1, "read"), person(2, "sent")], { pending: 0, read: 1 });
const done = statusOf("c1", [person(1, "read"), person(2, "failed", { error_message: "switched off" })], {
  pending: 0,
  read: 1,
  failed: 1,
});

/** A service that answers `all` questions eight at a time, once those have come; were there a ninth, it would come meanwhile. */
async function hesitantService(all: number): Promise<{ url: string; most: () => number }> {
  const waiting: [ServerResponse, string][] = [];
  let [most, left] = [0, all];
  const answerAll = (): void => {
    left -= waiting.length;
    // The newest is answered first: the order of the answers is not that of the questions.
    for (const [open, id] of waiting.splice(0).reverse()) {
      const people = Array.from({ length: 100 }, (_, n) => person(Number(id.slice(1)) * 100 + n, "read"));
      open.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(statusOf(id, people)));
    }
  };
  const server = createServer((request, response) => {
    const id = (request.url ?? "").split("/").at(-1) ?? "";
    // Before the campaigns bpos asks whether this is a mock.
    if (!/^c\d+$/.test(id)) return void response.writeHead(404).end();
    waiting.push([response, id]);
    most = Math.max(most, waiting.length);
    if (waiting.length === Math.min(8, left)) setTimeout(answerAll, 30);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, most: () => most };
}

describe("campaign status of many", () => {
  it("asks for 54 campaigns eight at once and lists their 5,400 people in the order of the ids", async () => {
    const { url, most } = await hesitantService(54);
    const ids = Array.from({ length: 54 }, (_, n) => `c${n}`);
    const run = await shell({ env: pointedAt(url) })(status(...ids, "-o", "csv"));
    expect(run.code).toBe(0);
    expect(most()).toBe(8);
    const phones = run.stdout
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",")[2]);
    expect(phones).toEqual(Array.from({ length: 5400 }, (_, n) => person(n, "")["phone"]));
  });
});

describe("campaign status --only", () => {
  it("leaves the others out of every form, and no count", async () => {
    const [read, failed] = done["recipients"] as unknown[];
    const all = { ...done, recipients: [read, failed, person(3, null), null, person(4, "FAILED")] };
    const { url } = await campaignServer(body(all));
    const run = shell({ env: pointedAt(url) });
    const json = await run(status("c1", "--only", "failed", "--json"));
    expect(JSON.parse(json.stdout)).toEqual({ ...all, recipients: [failed, person(4, "FAILED")] });
    expect((await run(status("c1", "--only", "failed", "-o", "csv"))).stdout.split("\r\n")).toHaveLength(4);
    expect((await run(status("c1", "--only", "Failed", "--json"))).stdout).toBe(json.stdout);
    const table = (await run(status("c1", "--only", "failed"))).stdout;
    expect(table).toContain("+5491150000002");
    expect(table).not.toContain("+5491150000001");
    expect(table).toMatch(/^Read +1/m);
    // A time that nobody has takes no room on a terminal; a pipe has every column.
    expect(table).toMatch(/Status +Sent +Delivered +Read +Responded +Error/);
    const onTerminal = await run(status("c1", "--only", "failed"), { terminal: 80, env: { NO_COLOR: "1" } });
    expect(onTerminal.stdout).toMatch(/Phone +Status +Error/);
  });

  it("says in Spanish which states there are in the words that the table has", async () => {
    const { url } = await campaignServer(body({ ...done, recipients: [person(1, "read")] }));
    const run = shell({ env: { ...pointedAt(url), BPOS_LANG: "es", NO_COLOR: "1" }, terminal: 100 });
    const { stdout } = await run(status("c1", "--only", "failed"));
    expect(stdout).toContain("Ningún destinatario listado tiene el estado falló. Hay: leído.");
    expect(stdout).toMatch(/^Mensaje +Destinatarios +Porcentaje\b/m);
  });
});

describe("campaign status and what the journal knows", () => {
  it("shows each person's line and variables, whatever form the service gives a phone, and escapes them in the CSV", async () => {
    const answer = {
      ...statusOf("c1", [
        person(8, "read", { phone: "5491150000008" }),
        person(7, "failed"),
        person(6, "sent"),
      ]),
      external_ref: "=r",
    };
    const server = await scriptedServer(
      on("POST /campaigns", reply(created)),
      on("GET /campaigns/c1", reply(answer)),
      on("GET /campaigns/c1", reply(answer)),
      on("GET /campaigns/c1", reply(answer)),
    );
    const run = shell({ env: pointedAt(server.url) });
    // Lines of the file as they are counted in an editor; the call has its people in another order.
    const file = recipientsFile(["+5491150000008,=Ana,1", "", "no phone,Eva,3", "+5491150000007,Beto,2"]);
    expect((await run(send(file, "--yes", "--ref", "=r"))).code).toBe(3);
    const csv = await run(status("c1", "-o", "csv"));
    const [header, ana, beto, stranger] = parseCsv(csv.stdout, {});
    expect(header?.join()).toBe(
      "campaign_id,external_ref,phone,status,sent_at,delivered_at,read_at,responded_at,error_message,line,param_1,param_2",
    );
    expect(ana?.join()).toBe("c1,'=r,5491150000008,read,,,,,,2,'=Ana,1");
    expect(beto?.slice(2).join()).toBe("+5491150000007,failed,,,,,,5,Beto,2");
    expect(stranger?.slice(2).join()).toBe("+5491150000006,sent,,,,,,,,");
    const table = (await run(status("c1"))).stdout;
    expect(table).toMatch(/^Phone +Line +Status/m);
    expect(table).toMatch(/^\+5491150000007 +5 +failed +Beto · 2/m);
    expect(table).toMatch(/^\+5491150000006 +— +sent/m);
    // Campaigns of another branch's key are not shown.
    const other = await run(status("c1"), { env: { BPOS_API_KEY: "bpk_other_0123" } });
    expect(other.stdout).not.toContain("Beto");
    expect(other.stdout).not.toContain("Line");
  });

  it("lists all people sent with --track-all, each once with their line; else says how many it does not", async () => {
    const { env, mock } = await service();
    const run = shell({ env });
    const flags = ["--yes", "--allow-repeat"];
    const many = sized(1_200, 5_400);
    const file = people(many);
    const tracked = parse((await run(send(file, ...flags, "--ref", "all", "--track-all", "--json"))).stdout);
    expect(tracked.campaigns).toHaveLength(many / 100);
    const csv = await run(status("--ref", "all", "-o", "csv"));
    const rows = parseCsv<Record<string, string>>(csv.stdout, { columns: true });
    const byLine = rows.sort((one, other) => Number(one["line"]) - Number(other["line"]));
    expect(byLine.map((row) => row["phone"])).toEqual(Array.from({ length: many }, (_, n) => phone(n)));
    expect([byLine[0]?.["line"], byLine.at(-1)?.["line"]]).toEqual(["2", `${many + 1}`]);
    const table = (await run(status("--ref", "all"))).stdout;
    expect(new Set(table.match(/^\+\d+/gm)).size).toBe(many);
    expect(table.trimEnd().split("\n").at(-1)).toMatch(/^\+\d+ /);

    await run(send(file, ...flags, "--ref", "few"));
    const few = (await run(status("--ref", "few"))).stdout;
    expect(few.match(/^\+\d+/gm)).toHaveLength(sized(200, 600));
    expect(few.trimEnd().split("\n").at(-1)).toMatch(
      sized(
        /^1\D?000 recipients are counted but not listed/,
        /^4\D?800 recipients are counted but not listed/,
      ),
    );
    expect(await mock.control.messages()).toHaveLength(2 * many);
  });
});

describe("campaign status --watch", () => {
  it("prints a line for each change until everything is final", async () => {
    const { url, asked } = await campaignServer(body(sent), body(sent), body(half), body(done));
    const clock = fakeClock();
    const run = await shell({ env: pointedAt(url), clock })(status("c1", "--watch"));
    expect(run.code).toBe(0);
    expect(asked()).toBe(4);
    const lines = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^2026-01-01 \d\d:\d\d:\d\d {2}/, ""));
    expect(lines).toEqual([
      "All 2 · Pending 0",
      "All 2 · Pending 0 · Read 1",
      "c1  +5491150000001  sent → read",
      "All 2 · Pending 0 · Failed 1 · Read 1",
      "c1  +5491150000002  sent → failed  switched off",
    ]);
    expect(run.stderr).toContain("Every status is final.");
  });

  it("says that there was no answer, and tries again when the service asks for it", async () => {
    const server = await scriptedServer(
      on("GET /campaigns/c1", reply("", 503, { "retry-after": "50" })),
      on("GET /campaigns/c1", reply(done)),
    );
    const clock = fakeClock();
    const run = shell({ env: pointedAt(server.url), clock });
    const { code, stderr } = await run(status("c1", "--watch", "--retries", "0"));
    expect(code).toBe(0);
    expect(stderr).toMatch(/No answer, retrying\..*503/);
    expect(clock.slept).toEqual([50_000]);
  });

  it("ends with 4 when the key is refused, and with 130 at once on Ctrl-C", async () => {
    const denied = { status: 403, body: { code: "ERROR_CODE_ACCESS_DENIED", message: "no" } };
    const refusing = await campaignServer(body(sent), denied);
    const refused = await shell({ env: pointedAt(refusing.url), clock: fakeClock() })(
      status("c1", "--watch"),
    );
    expect(refused.code).toBe(4);
    const patient = await campaignServer(body(sent));
    const clock = fakeClock();
    let stop = (): void => undefined;
    const stopped = await shell({ env: pointedAt(patient.url) })(status("c1", "--watch"), {
      clock: {
        now: () => clock.now(),
        sleep: (ms, signal) => {
          stop();
          return clock.sleep(ms, signal);
        },
      },
      onStart: (means) => {
        stop = means;
      },
    });
    expect([stopped.code, patient.asked()]).toEqual([130, 1]);
    expect(stopped.stderr).toContain("it changes nothing");
  });

  it("follows what a reference gains meanwhile, and is not final while a call has no answer", async () => {
    const server = await scriptedServer(
      on("POST /campaigns", reply(created)),
      on("POST /campaigns", reply("", 502)),
      ...Array.from({ length: 2 }, () => on("GET /campaigns/c1", reply(done))),
    );
    const folder = temporaryFolder();
    const run = shell({ env: pointedAt(server.url), clock: fakeClock() });
    await run(send(recipientsFile(["+5491150000007,Ana,1"], folder), "--yes", "--ref", "r"));
    const more = recipientsFile(["+5491150000007,Ana,1", "+5491150000017,Eva,2"], folder);
    await run(send(more, "--yes", "--ref", "r", "--retries", "0"));
    const waited = await run(status("--ref", "r", "--watch", "--wait", "4s"));
    expect(waited.code).toBe(8);
    expect(waited.stderr.match(/1 of 2 calls has no answer yet: bpos campaign resume r/g)).toHaveLength(1);
  });
});

describe("campaign status --wait", () => {
  it("shows the last look alone: 0 when everything is final, 8 when time runs out first", async () => {
    const looks = [body(sent), body(half), body(done)];
    const run = async (wait: string) => {
      const { url, asked } = await campaignServer(...looks);
      const clock = fakeClock();
      const result = await shell({ env: pointedAt(url), clock })(status("c1", "--wait", wait, "--json"));
      return { ...result, asked: asked(), slept: clock.slept };
    };
    const enough = await run("1m");
    expect(enough.code).toBe(0);
    expect(JSON.parse(enough.stdout)).toEqual(done);
    const short = await run("3s");
    expect(short.code).toBe(8);
    // One look at the start, one when the time is over.
    expect(short).toMatchObject({ asked: 2, slept: [3_000] });
    expect(JSON.parse(short.stdout)).toEqual(half);
    expect(short.stderr).toContain("--wait ended after 3 s");
    expect((await run("0s")).code).toBe(2);
  });
});

/** Returns the rows of a terminal after all of a text, from the top of the window. */
function terminal(text: string, rows: number): string[] {
  let lines = [""];
  let row = 0;
  for (const [part] of text.matchAll(/\u001b\[\d*[A-Z]|\r|\n|[^\u001b\r\n]+/g)) {
    const up = /^\u001b\[(\d+)A$/.exec(part);
    if (up) row = Math.max(0, lines.length - rows, row - Number(up[1]));
    else if (part === "\u001b[2K") lines[row] = "";
    else if (part === "\u001b[J") lines = [...lines.slice(0, row), ""];
    else if (part === "\n") {
      row += 1;
      lines[row] ??= "";
    } else if (part !== "\r") lines[row] = `${lines[row] ?? ""}${part}`;
  }
  return lines.slice(-rows);
}

describe("campaign status --watch on a terminal", () => {
  it("draws one picture over itself, never higher than the screen, and counts who does not fit", async () => {
    const many = (value: string): unknown[] => Array.from({ length: 90 }, (_, n) => person(n, value));
    const failed = person(777, "failed", { error_message: "switched off" });
    const looks = [many("sent"), many("delivered")].map((all) =>
      body(statusOf("c1", [...all, failed], { total_recipients: 200, pending: 0, failed: 1 })),
    );
    const { url } = await campaignServer(...looks);
    const env = { ...pointedAt(url), NO_COLOR: "1" };
    const run = await shell({ env, clock: fakeClock() })(status("c1", "--watch"), { terminal: 80, rows: 20 });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("next in 5 s");
    const seen = terminal(run.stdout, 20);
    expect(seen.length).toBeLessThanOrEqual(20);
    expect(seen[0]).toBe("Campaign c1");
    expect(seen[1]).toBe("Every status is final.");
    expect(seen.filter((line) => line.startsWith("+5491150000777"))).toHaveLength(1);
    const listed = seen.filter((line) => line.startsWith("+")).length;
    expect(listed).toBeGreaterThan(1);
    expect(seen).toContain(`${91 - listed} more recipients do not fit on the screen.`);
    expect(seen.join("\n")).toContain("109 recipients are counted but not listed");
    expect(seen.join("\n")).not.toMatch(/\bsent\b/);
    // Everything stood in the window at any time: nothing was left behind above it.
    expect(terminal(run.stdout, 1_000).filter((line) => line === "Campaign c1")).toHaveLength(1);
  });

  it("shows a service that does not answer, and what it last said", async () => {
    const { url } = await campaignServer(body(half), { status: 503, body: {} });
    const env = { ...pointedAt(url), NO_COLOR: "1" };
    const flags = ["--watch", "--wait", "20s", "--retries", "0"];
    const run = await shell({ env, clock: fakeClock() })(status("c1", ...flags), { terminal: 80 });
    expect(run.code).toBe(8);
    const seen = terminal(run.stdout, 24).join("\n");
    expect(seen).toContain("No answer, retrying.");
    expect(seen).toMatch(/^Read +1/m);
    expect(seen).toContain("--wait ended after 20 s");
  });
});
