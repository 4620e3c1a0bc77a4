import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "../support/parse.ts";
import { fixture, root, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { isSoak } from "../support/soak.ts";

/** `docs/reference/commands.md` has the examples of help, which have a test of their own; the decisions are about the past. */
const pages = [
  ...["README.md", "README.es.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !/^(reference\/commands\.md|dev|licences)/.test(name))
    .map((name) => join("docs", name)),
];

/** Words of a shell, as far as pages go. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");

interface Shown {
  words: string[];
  /** The file that gets its output. */
  into: string | undefined;
  /** As it stands, for a line of another program. */
  line: string;
}

/** Cuts a line where the shell would, outside quotes: what is piped into another program is left out. */
function readLine(given: string): Shown | undefined {
  const line = given
    .replace(/^\s*(?:(?:\$|C:\\>) )?/, "")
    .replace(/^(?:[*\d/, ]{5,}|@reboot )(?:\/usr\/local\/bin\/)?(?=bpos )/, "")
    .replace(/^C:\\bpos\\bpos\.exe /, "bpos ");
  const own = /^(?:npm ci && )?(?:npx )?bpos ((?:'[^']*'|"[^"]*"|[^'"|&>#]|(?<!\s)#)*)(>\s*\S+)?/.exec(line);
  if (own === null) return line.startsWith("printf ") ? { words: [], into: undefined, line } : undefined;
  return { words: wordsOf((own[1] ?? "").replaceAll("\\%", "%")), into: own[2]?.replace(/^>\s*/, ""), line };
}

/** Every command of a page: in its blocks, and between backticks in its text. */
function commandsIn(page: string): Shown[] {
  const text = readFileSync(join(root, page), "utf8").replaceAll("\\\n", " ");
  const fences = [...text.matchAll(/^ *```(\w*)\n(.*?)^ *```/gms)];
  const blocks = fences.flatMap(([, kind = "", block = ""]) => {
    const lines = block.split("\n");
    // In a console block the rest is what they print.
    if (kind === "console") return lines.filter((line) => /^(\$|C:\\>) /.test(line));
    return ["", "sh"].includes(kind) ? lines : [];
  });
  const prose = text
    .replaceAll(/^ *```.*?^ *```/gms, "")
    .matchAll(/`((?:C:\\bpos\\)?bpos(?:\.exe)? [a-z][^`]*|bpos --[^`]*)`/g);
  const inText = Array.from(prose, ([, line = ""]) => line.replace(/\s+/g, " "));
  return [...blocks, ...inText].flatMap((line) => readLine(line) ?? []);
}

/** Returns whether a command has placeholders, as in a sentence about commands: `bpos COMMAND --help`, `bpos mock …`. */
const isPattern = ({ words, line }: Shown): boolean =>
  words.some((word) => /…|^\[?[A-Z][A-Z_]+\]?$|^cmp_1$/.test(word)) || line === "bpos --mock";
/** Returns whether a command needs what a test has not: a printer, a database, a registry, other machines and folders of the system; or runs until it is stopped. */
const isElsewhere = ({ words, line }: Shown): boolean =>
  /192\.168|lp:|file:\/?dev|DEV|postgres:|\/etc\/|\/srv\/|\/opt\/|C:\\|example\.com|--print|--exec |--public-url|mail |^npm/.test(
    line,
  ) ||
  /^(campaign listen|demo|init|mock$|mock --|mock log --follow|printer|journal (copy|accept)|profile (use|rename|remove|add))/.test(
    words.join(" ").replace(/^(-p \S+|--mock) /, ""),
  ) ||
  words.some((word) => ["--watch", "--health", "--save-map", "--wait", "--standby"].includes(word)) ||
  (words.includes("watch") && !words.includes("--once"));

/** Refusals of commands whose sentence leaves out what belongs behind them, or takes an order, a send or a person as an example. */
const expectedRefusal =
  /Missing argument|No order with this number|No product specified|has no (send|push)|No message was sent to|Cannot ask for confirmation|got this template|--output|No campaign specified|already exists/;

it("finds the commands of a page", () => {
  const counts = ["shop", "integrator", "presenter"].map(
    (name) => commandsIn(`docs/tutorials/${name}.md`).length,
  );
  expect(Math.min(...counts)).toBeGreaterThan(8);
  for (const name of ["shop", "integrator", "presenter"]) {
    const flags = (page: string): string =>
      (readFileSync(join(root, page), "utf8").match(/ --[a-z-]+/g) ?? []).join();
    expect(flags(`docs/es/tutorials/${name}.md`), name).toBe(flags(`docs/tutorials/${name}.md`));
  }
});

/** Prepares a home for the commands of a page: a service, two profiles and the files that pages name. */
async function stage() {
  const folder = temporaryFolder();
  // The rows before the first that lacks a code: --deactivate-missing pushes no list with such a row.
  const list = readFileSync(fixture("catalog.csv"), "utf8").split("\n").slice(0, 20).join("\n");
  for (const name of ["prices.csv", "precios.csv"]) writeFileSync(join(folder, name), `${list}\n`);
  for (const name of ["prices.xlsx", "precios.xlsx"])
    copyFileSync(fixture("catalog.xlsx"), join(folder, name));
  for (const name of ["customers.csv", "clientes.csv"])
    copyFileSync(fixture("recipients.csv"), join(folder, name));
  spawnSync("ln", ["-s", join(root, "fixtures"), "fixtures"], { cwd: folder });
  const { mock } = await service({ clock: "2026-01-01T12:00:00-03:00" });
  writeFileSync(join(folder, "export.csv"), "SKU,Importe\nA1,1200\n");
  for (const name of ["optouts.csv", "bajas.csv"]) writeFileSync(join(folder, name), "+5491155550109\n");
  const run = shell({ env: { BPOS_MOCK: mock.baseUrl }, cwd: folder });
  for (const name of ["centro", "norte"]) {
    const words = ["profile", "add", name, "--no-check", "--base-url", mock.baseUrl, "--api-key-file", "-"];
    await run(words, { stdin: "bpk_demo_centro", env: { BPOS_MOCK: "" } });
  }
  return { run, folder };
}

it.each(pages)(
  "every command of %s is one, and runs where it can (those of pages for readers, in the soak all)",
  async (page) => {
    // README's and those for the shop run in a test of their own; the Spanish pages have the same flags.
    const isRun = isSoak || /^docs.tutorials.(?:integrator|presenter)\.md$/.test(page);
    const { run, folder } = isRun ? await stage() : { run: undefined, folder: temporaryFolder() };
    for (const shown of commandsIn(page)) {
      if (isPattern(shown)) continue;
      const { words, into, line } = shown;
      if (words.length === 0) {
        expect(spawnSync("sh", ["-c", line], { cwd: folder }).status, line).toBe(0);
        continue;
      }
      const problem = await parse(words).then(
        () => undefined,
        // A sentence names a command without what belongs behind it.
        (error: unknown) =>
          /missing required argument|outputHelp/.test(String(error)) ? undefined : String(error),
      );
      expect.soft(problem, line).toBeUndefined();
      if (run === undefined || isElsewhere(shown) || problem !== undefined) continue;
      const { code, stdout, stderr } = await run(words);
      if (into !== undefined) writeFileSync(join(folder, into), stdout);
      const isExpected =
        code === 0 || code === 3 || ([2, 10, 11].includes(code) && expectedRefusal.test(stderr));
      expect.soft(isExpected, `${line}: ${code} ${stderr}`).toBe(true);
    }
  },
);
