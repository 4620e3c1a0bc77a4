import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandTree } from "../support/command-tree.ts";
import { foreignWords } from "../support/foreign-words.ts";
import { cases } from "../support/language-cases.ts";
import { type Case, play } from "../support/two-languages.ts";

/** Every command that can be run, as it is declared, but what the shells ask. */
function runnable(command: Command, path: readonly string[] = []): string[] {
  const below = command.commands.flatMap((each) => runnable(each, [...path, each.name()]));
  const groups = ["orders", "catalog", "campaign", "profile"];
  const isOne = path.length > 0 && path[0] !== "__complete" && !groups.includes(path.join(" "));
  return [...(isOne ? [path.join(" ")] : []), ...below];
}

async function speaksBoth(one: Case): Promise<void> {
  for (const terminal of [true, undefined]) {
    const place = terminal && { terminal };
    const english = await play(one, { language: "en", ...place });
    const spanish = await play(one, { language: "es", ...place });
    const exit = terminal ? one.exit : (one.exitInPipe ?? one.exit);
    expect([english.code, spanish.code, english.stderr]).toEqual([exit, exit, english.stderr]);
    const words = (text: string, language: "en" | "es"): unknown => {
      const found = foreignWords(text, language, one.data);
      return found.length === 0 ? [] : [found, text];
    };
    expect(words(english.stdout + english.stderr, "en")).toEqual([]);
    expect(words(spanish.stdout + spanish.stderr, "es")).toEqual([]);
  }
  const english = await play(one, { language: "en", json: true });
  expect(await play(one, { language: "es", json: true })).toEqual(english);
}

const all = runnable(commandTree());

it("there is a case for each command", () => {
  expect(Object.keys(cases).sort()).toEqual([...all].sort());
});

describe.each(all)("bpos %s", (path) => {
  it("explains itself in both languages", async () => {
    await speaksBoth({ argv: [...path.split(" "), "--help"], exit: 0 });
  });

  it.each((cases[path] ?? []).map((one) => [one.argv.join(" "), one] as const))("%s", async (_name, one) => {
    await speaksBoth(one);
  });
});
