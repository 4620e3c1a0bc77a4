import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorsPage } from "../../scripts/pages.ts";
import { errorJson, errorText } from "../../src/cli/error-text.ts";
import { type ErrorReason, exitCodes, exitNameOf } from "../../src/errors.ts";
import { es } from "../../src/i18n/es.ts";
import { causeOf } from "../../src/i18n/shapes.ts";
import { sample } from "../cli/error-samples.ts";
import { lines, terminal } from "../cli/ui.ts";
import { root, shell } from "../support/run.ts";

const page = errorsPage();
const headings = (level: string): string[] =>
  [...page.matchAll(new RegExp(`^${level} (.+)$`, "gm"))].map(([, title = ""]) => title);
const reasons = Object.keys(exitNameOf) as ErrorReason[];

describe("docs/errors.md", () => {
  it("is what the texts say now", async () => {
    const regenerate = "not what the texts say now: run `npm run docs`, look at the difference and commit it";
    await expect(page, regenerate).toMatchFileSnapshot(join(root, "docs/errors.md"));
  });

  it("has a section for each exit code and each reason, and no other", () => {
    expect(headings("##")).toEqual(
      Object.entries(exitCodes).map(([name, code]) => `Exit code ${code} ${name}`),
    );
    expect(headings("###").sort()).toEqual([...reasons].sort());
  });

  it.each(reasons)("is where the error %s leads", (reason) => {
    const { docs } = errorJson(sample(reason)).error as { docs: string };
    expect(docs).toBe(`docs/errors.md#${reason}`);
    expect(page).toContain(`\n### ${reason}\n`);
    const said = lines(errorText(sample(reason), terminal(500)));
    // Who said no is told nothing else.
    if (reason === "declined") {
      expect(said).toEqual(["Nothing was sent."]);
      return;
    }
    // Who stopped it or mistyped a flag knows enough.
    const isObvious = ["usage_flag", "interrupted"].includes(reason);
    expect(said).toHaveLength(3);
    expect(said[2]?.endsWith(` More: \`bpos help errors ${reason}\``)).toBe(!isObvious);
  });
});

describe("bpos help errors", () => {
  it("says what lies behind each reason, in the language of the run", async () => {
    const bpos = shell();
    for (const reason of ["order_not_found", "outcome_unknown"] as const) {
      const { code, stdout } = await bpos(["help", "errors", reason]);
      expect(code).toBe(0);
      const section = page.split(`\n### ${reason}\n`)[1]?.split("\n##")[0] ?? "";
      const words = (text: string): string =>
        text
          .replace(/\*\*What to do:\*\*|Why:|Next:/g, "")
          .replace(/\s+/g, " ")
          .trim();
      expect(words(stdout)).toBe(
        `${reason} (${exitCodes[exitNameOf[reason]]} ${exitNameOf[reason]}) ${words(section)}`,
      );
      const translated = await bpos(["help", "errors", reason, "--lang", "es"]);
      expect(translated.stdout.replace(/\s+/g, " ")).toContain(causeOf(es.errors, reason).cause);
    }
  });

  it("refuses what is no reason", async () => {
    const { code, stderr } = await shell()(["help", "errors", "order_lost"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Unknown error reason "order_lost"\.\nWhy: .*\nNext: {2}`bpos help errors` lists/);
  });
});
