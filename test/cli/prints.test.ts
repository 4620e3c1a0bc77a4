import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { errorJson, errorText } from "../../src/cli/display/error-text.ts";
import { toJson } from "../../src/cli/display/json.ts";
import type { Ui } from "../../src/cli/display/ui.ts";
import { topics } from "../../src/cli/line/flags.ts";
import { startMock } from "../../src/mock/index.ts";
import { type Language, textsIn } from "../../src/texts/texts.ts";
import { cases } from "../support/language-cases.ts";
import { shell } from "../support/run.ts";
import { type Case, type Place, play } from "../support/two-languages.ts";
import { allErrors, reasons } from "./error-samples.ts";
import { everyView } from "./every-view.ts";
import { pipe, terminal, uncoloured } from "./ui.ts";

/**
 * `BPOS_PRINTS=FOLDER npx vitest run test/cli/prints.test.ts` writes all that people read into FOLDER, a file each: before and
 * after a change that must print the same, two such folders are the same.
 */
const folder = process.env["BPOS_PRINTS"] ?? "";

const spoken: readonly Language[] = ["en", "es", "es-AR"];
const texts: Readonly<Record<Language, Partial<Ui>>> = {
  en: {},
  es: { texts: textsIn("es") },
  "es-AR": { texts: textsIn("es-AR") },
};
const widths = [80, 200, undefined] as const;
const placeName = (width: number | undefined): string => (width === undefined ? "pipe" : String(width));

/** Without the names that every run makes anew. */
const settled = (text: string): string =>
  text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, "id")
    .replaceAll(/(?<=e-)\w{6}(?=\/bpos-t)|(?<=^ *-)\w{6}(?=\/bad)/gm, "name");

function keep(language: Language, width: number | undefined, name: string, text: string): void {
  const into = join(folder, language, placeName(width));
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, `${name.replaceAll(/[^\w.-]+/g, "_").slice(0, 160)}.txt`), settled(text));
}

const commands = commandEntries().map(({ path }) => path.replace(/^bpos ?/, ""));
const asked = [
  ...commands.map((path) => [...path.split(" ").filter((word) => word !== ""), "--help"]),
  ...[...topics, ...reasons].map((word) => ["help", word === "bug" ? "errors" : word]),
  ...reasons.map((reason) => ["help", "errors", reason]),
  [],
  ["help"],
  ["--version"],
];
const lines = Object.values(cases)
  .flat()
  .map((one, n): [string, Case] => [`${String(n).padStart(3, "0")} ${one.argv.join(" ")}`, one]);

describe.runIf(folder !== "").each(spoken)("%s", (language) => {
  for (const width of widths) {
    it(`help, ${placeName(width)}`, { timeout: 600_000 }, async () => {
      const run = shell({ env: { BPOS_LANG: language, BPOS_HOME: "/nonexistent", NO_COLOR: "1" } });
      for (const argv of asked) {
        const { code, stdout, stderr } = await run(argv, width === undefined ? {} : { terminal: width });
        keep(language, width, `help ${argv.join(" ")}`, `${code}\n${stdout}\n-- stderr\n${stderr}`);
      }
      expect(asked.length).toBeGreaterThan(200);
    });

    it(`errors, ${placeName(width)}`, () => {
      const ui = width === undefined ? pipe(texts[language]) : terminal(width, texts[language]);
      const said = allErrors.map((error) => `${error.message}\n${uncoloured(errorText(error, ui))}`);
      keep(language, width, "errors", said.join("\n"));
      keep("en", undefined, "errors.json", allErrors.map((error) => toJson(errorJson(error))).join("\n"));
      expect(said.length).toBeGreaterThan(300);
    });

    it(`views, ${placeName(width)}`, () => {
      const ui = width === undefined ? pipe(texts[language]) : terminal(width, texts[language]);
      const views = Object.entries(everyView).map(
        ([name, view]) => `== ${name}\n${uncoloured(view("Zzyx", ui))}`,
      );
      keep(language, width, "views", views.join("\n"));
      expect(views.length).toBeGreaterThan(40);
    });

    it(`commands, ${placeName(width)}`, { timeout: 900_000 }, async () => {
      for (const [name, one] of lines)
        for (const json of one.plain || one.argv.includes("-o") ? [false] : [false, true]) {
          const place: Place = {
            language,
            ...(width !== undefined && { terminal: width }),
            ...(json && { json }),
          };
          const { code, stdout, stderr } = await play(one, place);
          keep(
            language,
            width,
            `${name}${json ? " --json" : ""}`,
            `${code}\n${stdout}\n-- stderr\n${stderr}`,
          );
        }
      expect(lines.length).toBeGreaterThan(200);
    });
  }

  it("pages of the mock", async () => {
    const mock = await startMock({ clock: "2026-01-01T09:00:00-03:00", seed: 1, scenario: "demo" });
    try {
      for (const path of ["", "catalog", "campaigns", "requests", "world", "nothing"].map((name) =>
        name === "" ? "/" : `/console/${name}`,
      )) {
        const answer = await fetch(mock.baseUrl + path, { headers: { "accept-language": language } });
        const text = (await answer.text())
          .replaceAll(new URL(mock.baseUrl).host, "mock")
          .replace(/world=[\w-]+/g, "");
        keep(language, undefined, `page ${path}`, `${answer.status}\n${text}`);
      }
    } finally {
      await mock.close();
    }
  });
});
