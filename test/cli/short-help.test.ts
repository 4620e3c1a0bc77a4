import { describe, expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { shell } from "../support/run.ts";
import { lines } from "./ui.ts";

const paths = commandEntries().map(({ path }) => path.split(" ").slice(1));

const help = async (words: readonly string[], lang = "en"): Promise<string> => {
  const run = await shell({ terminal: 80, env: { NO_COLOR: "1", BPOS_LANG: lang } })([...words]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return run.stdout;
};

describe("-h", () => {
  it.each([
    ...[
      ["orders", "watch"],
      ["catalog", "push"],
      ["campaign", "send"],
    ].flatMap((path) => ["en", "es", "es-AR"].map((lang) => [path, lang] as const)),
    [[], "en"],
    [["mock"], "en"],
  ] as const)("of %j is a screen of 24 lines of 80 columns, in %s", async (path, lang) => {
    const shown = lines(await help([...path, "-h"], lang));
    expect(shown.length).toBeLessThanOrEqual(24);
    for (const line of shown) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it("shows usage, at most three examples and ten flags, and names --help, for every command", async () => {
    for (const path of paths) {
      const shown = await help([...path, "-h"]);
      const own = ["bpos", ...path].join(" ");
      expect(shown, own).toContain(`Usage: ${own} `);
      expect(shown, own).toMatch(new RegExp(`\\n${own} --help shows (all \\d+ flags|everything)\\.\\n$`));
      expect(shown.match(/^ {2}\$ /gm)?.length ?? 0, own).toBeLessThanOrEqual(3);
      expect(shown.match(/^ {2}(-\w, )?--/gm)?.length ?? 0, own).toBeLessThanOrEqual(10);
    }
  });

  it("shows the commands and flags that a large command names, all of which exist", async () => {
    for (const { path, common = [], command } of commandEntries()) {
      const flags = command.options.filter(({ hidden }) => !hidden);
      if (flags.length > 10 && path !== "bpos") expect(common.length, path).toBeGreaterThan(5);
      const shown = await help([...path.split(" ").slice(1), "-h"]);
      for (const name of common)
        expect(shown, `${path} ${name}`).toMatch(new RegExp(`^ +(-\\w, )?${name}\\b`, "m"));
    }
  });

  it("counts the flags that --help shows", async () => {
    const [, count = ""] = /shows all (\d+) flags/.exec(await help(["orders", "watch", "-h"])) ?? [];
    expect((await help(["orders", "watch", "--help"])).match(/^ {2}--/gm)).toHaveLength(Number(count));
  });

  it("is the whole help as JSON", async () => {
    expect(await help(["orders", "list", "-h", "--json"])).toBe(
      await help(["orders", "list", "--help", "--json"]),
    );
  });
});
