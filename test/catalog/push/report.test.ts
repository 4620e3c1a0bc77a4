import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askJournal } from "../../support/journal.ts";
import { accepted, batches, parse } from "../../support/push.ts";
import { fixture, type Run, shell, temporaryFolder } from "../../support/run.ts";
import { reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

/** Pushes two products, A1 and B2, to a service that answers with this text. */
async function pushTo(text: string, ...flags: string[]): Promise<Run> {
  const server = await scriptedServer(...batches(reply(text)));
  const stdin = "codigo,precio\nA1,1\nB2,2\n";
  return shell({ env: pointedAt(server.url) })(["catalog", "push", "-", ...flags], { stdin });
}

describe("a push that is not made", () => {
  const modes = [
    ["--dry-run", 3, true],
    ["--strict", 2, false],
  ] as const;

  it.each(modes)(
    "with %s sends nothing, writes the rejected rows and nothing else, and says so in JSON",
    async (flag, code, dry) => {
      const server = await scriptedServer();
      const home = temporaryFolder();
      const run = shell({ env: { ...pointedAt(server.url), BPOS_HOME: home } });
      const rejected = join(temporaryFolder(), "rejected.csv");
      const argv = ["catalog", "push", fixture("catalog.csv"), flag, "--rejected", rejected, "--json"];
      const result = await run(argv);
      expect(result.code).toBe(code);
      const nothing = { read: 300, sent: 0, batches: 0, accepted: 0, outcome: "nothing" };
      expect(parse(result.stdout)).toMatchObject({ ...nothing, dry_run: dry, rejected_file: rejected });
      expect(parse(result.stdout).rejected).toHaveLength(7);
      expect(existsSync(rejected)).toBe(true);
      // Only what the file is known by the next time.
      expect(await askJournal(home, "SELECT seq FROM push")).toEqual([]);
      if (code === 2) {
        expect(JSON.parse(result.stderr)).toMatchObject({
          error: { code: "usage", reason: "rows_rejected_strict" },
        });
      }
    },
  );

  it.each(modes)("with %s tells a person how many would go out in how many calls", async (flag) => {
    const server = await scriptedServer();
    const argv = ["catalog", "push", fixture("catalog.csv"), flag, "--batch-size", "100"];
    const { stdout } = await shell({ env: pointedAt(server.url) })(argv);
    expect(stdout).toContain("Nothing was sent. 293 products would be sent in 3 calls.");
    expect(stdout).toMatch(/Would be sent +293/);
    expect(stdout).not.toMatch(/^Sent /m);
    expect(stdout).toContain("The first products");
  });
});

describe("a file of which every row is rejected", () => {
  const rows = Array.from({ length: 12 }, (_, n) => (n < 11 ? `P${n},consultar` : ",1"));
  const stdin = `codigo,precio\n${rows.join("\n")}\n`;

  it.each([
    ["a push", []],
    ["a dry run", ["--dry-run"]],
  ])("ends %s with 3 and says why nothing was sent and what next", async (_, flags) => {
    const server = await scriptedServer();
    const run = shell({ env: pointedAt(server.url) });
    const { code, stdout } = await run(["catalog", "push", "-", ...flags], { stdin });
    expect(code).toBe(3);
    expect(stdout).toMatch(/\nNothing to send: all 12 rows were rejected\.\n/);
    expect(stdout).toMatch(/`bpos catalog check FILE` shows how bpos reads each column/);
    expect(stdout.match(/consultar/g)).toHaveLength(10);
  });
});

describe("a push that is refused", () => {
  const denied = reply({ code: "ERROR_CODE_ACCESS_DENIED", message: "Invalid API key.", payload: "" }, 403);
  const push = ["catalog", "push", "-"];
  const stdin = "codigo,precio\nA1,1\nB2,2\n";

  it("names the store id that was sent, by flag or by profile, as a possible cause", async () => {
    const server = await scriptedServer(...batches(denied, denied));
    const home = temporaryFolder();
    const profile = { api_key: "bpk_a", base_url: server.url, store_id: 12 };
    writeFileSync(join(home, "config.json"), JSON.stringify({ profiles: { centro: profile } }), {
      mode: 0o600,
    });
    const run = shell({ env: { BPOS_HOME: home } });
    const kept = await run([...push, "-p", "centro"], { stdin });
    expect(kept).toMatchObject({ code: 4, stdout: expect.stringContaining("Refused:") as string });
    expect(kept.stderr).toMatch(
      /with the store_id "12"[\s\S]*--store-id, or store_id[\s\S]*\nNothing was sent\.\n$/,
    );
    const { stderr } = await run([...push, "-p", "centro", "--store-id", "7", "--json"], { stdin });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "denied", store_id: "7", nothing_sent: true },
    });
  });

  it("after an unknown outcome says that the key must be accepted before it can be settled", async () => {
    const server = await scriptedServer(...batches(reset(), denied));
    const run = shell({ env: pointedAt(server.url) });
    expect((await run([...push, "--retries", "0"], { stdin })).code).toBe(7);
    const { code, stderr } = await run([...push, "--retries", "0"], { stdin });
    expect(code).toBe(7);
    expect(stderr).toMatch(/refuses the key now[\s\S]*might have been applied/);
    expect(stderr).not.toContain("Correct the file");
  });
});

describe("an odd answer", () => {
  const answer = (rejected: string): string => `{"duplicate":false,"accepted":1,"rejected":${rejected}}`;

  it.each([
    ["no list", '{"A1":"bad"}', []],
    ["a text", '"none"', []],
    ["a number", "7", []],
    ["null", "[null]", [{ codigo: null, error: null, line: null }]],
    ["words", '["too dear"]', [{ codigo: null, error: "too dear", line: null }]],
    ["a null error", '[{"codigo":"B2","error":null}]', [{ codigo: "B2", error: null, line: 3 }]],
    ["other types", '[{"codigo":7,"error":{"a":1}}]', [{ codigo: "7", error: '{"a":1}', line: null }]],
    ["digits", '[{"codigo":12345678901234567890}]', [{ codigo: "12345678901234567890", error: null }]],
  ])("with %s in rejected is reported as it is", async (_, rejected, expected) => {
    const { code, stdout } = await pushTo(answer(rejected), "--json");
    expect(code).toBe(3);
    expect(parse(stdout).rejected).toMatchObject(expected);
    expect(parse(stdout).rejected).toHaveLength(expected.length);
  });
});

describe("--rejected", () => {
  const bad = "codigo,precio\nA1,1\nB2,consultar\n";

  it.each([
    ["a folder that does not exist", (folder: string) => join(folder, "no", "r.csv"), "does not exist"],
    ["a folder", (folder: string) => folder, "is a folder"],
  ])("refuses %s before anything is sent", async (_, at, why) => {
    const server = await scriptedServer();
    const folder = temporaryFolder();
    const file = join(folder, "prices.csv");
    writeFileSync(file, bad);
    const run = shell({ env: pointedAt(server.url) });
    const result = await run(["catalog", "push", file, "--rejected", at(folder)]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain(why);
    expect(readFileSync(file, "utf8")).toBe(bad);
  });

  describe("of an earlier push", () => {
    const good = "codigo,precio\nA1,1\n";
    const refused = reply({ code: "ERROR_CODE_INPUT_ERROR", message: "No" }, 400);
    const later = async (
      [stdin, ...flags]: readonly [string, ...string[]],
      ...answers: ReturnType<typeof reply>[]
    ): Promise<{ code: number; left: string | undefined }> => {
      const file = join(temporaryFolder(), "r.csv");
      const server = await scriptedServer(...batches(...answers));
      const run = shell({ env: { ...pointedAt(server.url), BPOS_HOME: temporaryFolder() } });
      const argv = ["catalog", "push", "-", "--rejected", file, "--retries", "0"];
      await run([...argv, "--dry-run"], { stdin: "codigo,precio\nA1,consultar\n" });
      expect(readFileSync(file, "utf8")).toContain("A1,consultar,");
      const { code } = await run([...argv, ...flags], { stdin });
      return { code, left: existsSync(file) ? readFileSync(file, "utf8") : undefined };
    };

    it.each([
      ["a dry run without rejects", [good, "--dry-run"], [], 0],
      ["a push that the service refuses", [good], [refused], 5],
      ["a push whose key is denied", [good], [reply({ code: "X", message: "No" }, 403)], 4],
      ["a file that cannot be used", ["codigo\n"], [], 2],
    ] as const)("is left alone by %s", async (_, push, answers, code) => {
      const left = expect.stringContaining("A1,consultar,") as string;
      expect(await later(push, ...answers)).toEqual({ code, left });
    });

    it.each([
      ["a push that is taken", [good], [reply(accepted(1))], 0],
      ["a push that may have been taken", [good], [reset()], 7],
    ] as const)("is removed by %s, so that nobody pushes its old prices", async (_, push, answers, code) => {
      expect(await later(push, ...answers)).toEqual({ code, left: undefined });
    });

    it.each([
      ["a dry run", [bad, "--dry-run"], [], 3],
      ["--strict", [bad, "--strict"], [], 2],
      ["a push that the service refuses", [bad], [refused], 5],
      ["a push", [bad], [reply(accepted(1))], 3],
    ] as const)("is replaced by %s with rejects of its own", async (_, push, answers, code) => {
      const { left, ...rest } = await later(push, ...answers);
      expect(rest).toEqual({ code });
      expect(left).toContain("B2,consultar,");
    });
  });

  /** Pushes while the folder of the rejected file goes away. */
  async function pushAndLoseFolder(answer: ReturnType<typeof reply>): Promise<Run> {
    const folder = join(temporaryFolder(), "out");
    mkdirSync(folder);
    const server = await scriptedServer(
      ...batches((response, request) => {
        rmSync(folder, { recursive: true });
        answer(response, request);
      }),
    );
    const argv = ["catalog", "push", "-", "--rejected", join(folder, "r.csv"), "--retries", "0", "--json"];
    return shell({ env: pointedAt(server.url) })(argv, { stdin: bad });
  }

  it("that cannot be written does not hide that the outcome is unknown", async () => {
    const { code, stdout, stderr } = await pushAndLoseFolder(reset());
    expect(code).toBe(7);
    expect(parse(stdout)).toMatchObject({ outcome: "unknown", rejected_file: null });
    const [warning = "", error = ""] = stderr.split("\n");
    expect(warning).toContain("could not be written");
    expect(JSON.parse(error)).toMatchObject({ error: { reason: "outcome_unknown" } });
  });
});
