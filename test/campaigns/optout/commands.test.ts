import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, phone } from "../../support/campaigns.ts";
import { journalOf } from "../../support/journal.ts";
import { shell, temporaryFolder, type World } from "../../support/run.ts";

const terminal = { terminal: 100 } as const;

/** The commands in a home of their own, which needs no profile. */
function office() {
  const home = temporaryFolder();
  const run = shell({ env: { BPOS_HOME: home } });
  return {
    home,
    path: (name: string) => join(home, name),
    optout: (words: string[], world?: World) => run(["campaign", "optout", ...words], world),
    file: (name: string, text: string): string => {
      writeFileSync(join(home, name), text);
      return join(home, name);
    },
  };
}
const read = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe("optout add", () => {
  it("takes phones as people write them, each once, and says who was there", async () => {
    const { optout } = office();
    const first = await optout(["add", "+5491150000017", "011 15 5000-0017", "--country", "AR", "--json"]);
    expect(read(first.stdout)).toEqual({ read: 1, added: 1, already: 0, invalid: [] });
    const second = await optout(["add", "5491150000017", "+5491150000027", "--country", "AR"]);
    expect(second.stdout).toBe("1 person added to the opt-out list. 1 person had already opted out.\n");
  });

  it("adds nobody where one phone cannot be read", async () => {
    const { optout } = office();
    const { code, stderr } = await optout(["add", "+5491150000017", "15 5000", "--json"]);
    expect([code, errorOf(stderr)["reason"]]).toEqual([2, "usage_flag"]);
    expect(read((await optout(["list", "--json"])).stdout)).toEqual({ opt_outs: [] });
  });
});

describe("optout remove", () => {
  it("asks why on a terminal, needs --reason off it, and refuses who is not on the list", async () => {
    const { optout } = office();
    await optout(["add", phone(1)]);
    const unasked = await optout(["remove", phone(1), "--json"]);
    expect([unasked.code, errorOf(unasked.stderr)]).toMatchObject([
      2,
      { reason: "not_a_terminal", flag: "--reason" },
    ]);
    const asked = await optout(["remove", phone(1)], { ...terminal, answers: ["", "asked by mail"] });
    expect([asked.code, asked.stdout]).toEqual([
      0,
      `${phone(1)} was removed from the list. Sends can message this person again.\n`,
    ]);
    const gone = await optout(["remove", phone(1), "--reason", "x", "--json"]);
    expect([gone.code, errorOf(gone.stderr)["message"]]).toMatchObject([11, /no opt-out of/]);
  });
});

describe("optout list", () => {
  it("shows who, when, how and their words, to people and to programs", async () => {
    const { home, optout } = office();
    const journal = await journalOf(home);
    await journal.optOuts.add([{ phone: phone(1), at: 1_790_000_000_000, source: "reply", text: "=BAJA()" }]);
    await journal.optOuts.doubt({ phone: phone(2), at: 1, text: "baja?" });
    const table = (await optout(["list"], terminal)).stdout;
    expect(table).toContain("1 reply could be an opt-out: bpos campaign optout review");
    expect(table).toMatch(/\+\d+ +\d{4}-\d\d-\d\d \d\d:\d\d +reply +=BAJA\(\)/);
    expect((await optout(["list", "-o", "csv"])).stdout).toMatch(
      /^phone,at,source,text\r\n\+\d+,[^,]+,reply,'=BAJA\(\)\r\n$/,
    );
    expect((await optout(["ls", "--fields", "phone", "--json"])).stdout).toContain(`"phone": "${phone(1)}"`);
  });
});

describe("optout import and export", () => {
  it("takes everybody of a file that can be read, and reports the other rows", async () => {
    const { optout, file } = office();
    const list = file(
      "gone.csv",
      `nombre;celular\nAna;${phone(1)}\nEva;abc\nLeo;${phone(2)}\nAna;${phone(1)}\n`,
    );
    const { code, stdout } = await optout(["import", list, "--json"]);
    expect([code, read(stdout)]).toMatchObject([
      3,
      { read: 3, added: 2, already: 0, invalid: [{ line: 3, phone: "abc" }] },
    ]);
    const shown = await optout(["import", list], terminal);
    expect(shown.stdout).toMatch(
      /0 people added.*2 people had already opted out\.[\s\S]*1 row without a usable phone[\s\S]*abc/,
    );
  });

  it.each(["csv", "xlsx"])("gives back as .%s what a new journal takes as it is", async (ending) => {
    const { optout, file, path } = office();
    await optout(["import", file("gone.txt", `${phone(1)}\n${phone(2)}\n`)]);
    const out = path(`out.${ending}`);
    const written = await optout(["export", out, "--json"]);
    expect(read(written.stdout)).toEqual({ file: out, opt_outs: 2, without_phone: 0 });
    expect((await optout(["export", out, "--json"])).code).toBe(2);
    expect((await optout(["export", out, "--force"])).code).toBe(0);

    const other = office();
    expect(read((await other.optout(["import", out, "--json"])).stdout)).toMatchObject({
      added: 2,
      invalid: [],
    });
    if (ending === "csv") expect(readFileSync(out, "utf8")).toMatch(/^phone,at,source,text\r\n\+54/);
  });

  it("says whose phone was pruned, and ends with 3", async () => {
    const { home, optout, path } = office();
    const journal = await journalOf(home);
    await journal.optOuts.add([{ phone: phone(1), at: 1, source: "added", text: null }]);
    await (await journal.upkeep()).prune(10, "sqlite", () => Promise.resolve());
    const { code, stdout } = await optout(["export", path("out.csv"), "--json"]);
    expect([code, read(stdout)]).toMatchObject([3, { opt_outs: 0, without_phone: 1 }]);
  });

  it.each(["out.json", "out"])("writes no %s", async (name) => {
    const { optout, path } = office();
    const { code, stderr } = await optout(["export", path(name), "--json"]);
    expect([code, errorOf(stderr)["reason"]]).toEqual([2, "usage_flag"]);
  });
});

describe("optout review", () => {
  async function doubting() {
    const own = office();
    const journal = await journalOf(own.home);
    for (const n of [1, 2, 3]) await journal.optOuts.doubt({ phone: phone(n), at: n, text: `baja ${n}?` });
    return own;
  }

  it("shows one after the other and writes each decision down", async () => {
    const { optout } = await doubting();
    const { code, stdout, stderr } = await optout(["review"], {
      ...terminal,
      answers: ["Opted out", "No: keep messaging", "Later"],
    });
    expect([code, stdout]).toEqual([0, "1 opted out, 1 did not, 1 left for later.\n"]);
    expect(stderr).toMatch(/1\/3 +\+\d+[\s\S]*baja 1\?[\s\S]*3\/3/);
    expect(read((await optout(["list", "--json"])).stdout)).toMatchObject({
      opt_outs: [{ phone: phone(1), source: "reply", text: "baja 1?" }],
    });
    expect(read((await optout(["review", "--json"])).stdout)).toMatchObject({
      doubtful: [{ phone: phone(3), text: "baja 3?" }],
    });
  });

  it("asks nothing off a terminal", async () => {
    const { optout } = await doubting();
    const { code, stderr } = await optout(["review"]);
    expect([code, stderr]).toMatchObject([2, /--json/]);
    expect((await optout(["review", "-o", "ndjson"])).stdout.trimEnd().split("\n")).toHaveLength(3);
    expect((await office().optout(["review"])).stdout).toBe("No replies to review.\n");
  });
});
