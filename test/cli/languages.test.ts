import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandUnknownOpts as Command } from "@commander-js/extra-typings";
import { describe, expect, it, vi } from "vitest";
import { commandEntries, commandTree } from "../../scripts/command-tree.ts";
import { placeholders } from "../../src/texts/flags.ts";
import { type Language, languages } from "../../src/texts/texts.ts";
import { foreignWords } from "../support/foreign-words.ts";
import { cases } from "../support/language-cases.ts";
import { listenIn, postReply } from "../support/listen.ts";
import { parse } from "../support/push.ts";
import { type Run, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { isSoak, sized } from "../support/soak.ts";
import { type Case, play } from "../support/two-languages.ts";
import { logTime } from "../support/watch.ts";

/** Every command that does something, as it is declared, but what the shells ask. */
function doing(command: Command, path: readonly string[] = []): string[] {
  const below = command.commands.flatMap((each) => doing(each, [...path, each.name()]));
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  const isOne = path.length > 0 && path[0] !== "__complete" && !isGroup;
  return isOne ? [path.join(" "), ...below] : below;
}

/** The words that are in the wrong language, and for whoever mends them where they stand. */
function foreign(one: Case, { stdout, stderr }: Run, language: Language): string[] {
  // What -o asks for is the same in both languages; that is looked at by its bytes.
  const text = one.argv.includes("-o") ? stderr : stdout + stderr;
  const looked = one.part?.(text) ?? text;
  return foreignWords(looked, language, one.data).map((word) => {
    const line = looked
      .split("\n")
      .find((each) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, "u").test(each));
    return `${word}: ${line?.trim()}`;
  });
}

/** Lines with a time in another form than the language's, but those of a JSON document. */
function strayTimes(one: Case, { stdout, stderr }: Run, language: Language): string[] {
  const form = language === "es" ? /\d{4}-\d\d-\d\d[T ]\d\d:\d\d/ : /\d{4}-\d\d-\d\dT\d\d:\d\d|\d\/\d+\/\d/;
  // The lines of a log begin with a time that programs read.
  const logged = stderr.replace(logTime, "");
  let said = one.argv.includes("-o") ? logged : stdout + logged;
  // What a flag takes is said in each of its forms.
  const taken = /2026-01-31T08:00:00-03:00, 31\/1\/2026|31\/1\/2026, 2026-01-31T08:00:00-03:00/;
  for (const each of [taken, ...(one.data ?? [])]) said = said.replace(new RegExp(each, "gm"), " ");
  return said.split("\n").filter((line) => form.test(line) && !/^ *"/.test(line));
}

/** What a script reads: the data, and an error. */
const machineRead = ({ code, stdout, stderr }: Run): object => ({
  ...{ code, stdout },
  errors: stderr.split("\n").filter((line) => line.startsWith("{")),
});

async function speaksBoth(one: Case): Promise<void> {
  for (const terminal of sized([true], [true, false])) {
    const place = terminal ? { terminal } : {};
    const english = await play(one, { language: "en", ...place });
    const spanish = await play(one, { language: "es", ...place });
    const exit = terminal ? one.exit : (one.exitInPipe ?? one.exit);
    expect([english.code, spanish.code], english.stderr).toEqual([exit, exit]);
    expect(foreign(one, english, "en")).toEqual([]);
    expect(foreign(one, spanish, "es")).toEqual([]);
    // A word with the marks of another form; an invisible character is shown between such marks, too.
    expect((spanish.stdout + spanish.stderr).match(/‹(?!U\+|\+)[^›]*›?/)).toBeNull();
    if (!one.plain) {
      expect(strayTimes(one, english, "en")).toEqual([]);
      expect(strayTimes(one, spanish, "es")).toEqual([]);
    }
    if (one.argv.includes("-o")) expect(spanish.stdout).toBe(english.stdout);
    else if (exit !== 0) expect(spanish).not.toEqual(english);
  }
  if (!isSoak || one.plain || one.argv.includes("-o")) return;
  const english = await play(one, { language: "en", json: true });
  expect(machineRead(await play(one, { language: "es", json: true }))).toEqual(machineRead(english));
}

const all = doing(commandTree());

it("there is a case for each command", () => {
  expect(Object.keys(cases).sort()).toEqual([...all].sort());
});

it("every value that a command takes has its Spanish name", () => {
  const names = commandEntries().flatMap(({ command }) => [
    ...command.registeredArguments.map((argument) => argument.name()),
    ...command.options.flatMap(({ flags }) => /[<[](.+)[>\]]/.exec(flags)?.[1] ?? []),
  ]);
  expect([...new Set(names)].sort()).toEqual(Object.keys(placeholders).sort());
});

describe.each(all.filter((_, n) => n % sized(3, 1) === 0))("bpos %s", (path) => {
  it("explains itself in both languages", () =>
    speaksBoth({ argv: [...path.split(" "), "--help"], exit: 0, plain: true }));

  it.each((cases[path] ?? []).slice(0, sized(1, 99)).map((one) => [one.argv.join(" "), one] as const))(
    "%s",
    (_name, one) => speaksBoth(one),
  );
});

describe.each(languages)("in the language %s", (language) => {
  it("a reply is shown, and a stranger's POST is refused", async () => {
    const { env } = await service();
    const run = shell({ env: { ...env, BPOS_LANG: language, NO_COLOR: "1" }, terminal: 100 });
    const listener = await listenIn(run, []);
    await postReply(listener.url, "x", { "content-type": "text/plain" });
    await postReply(listener.url, "{");
    await postReply(listener.url, { phone: "+5491155550017", text: "Zzyx", campaign_id: "c1" });
    await vi.waitFor(() => expect(listener.lines().join()).toContain("Zzyx"), {
      timeout: 10_000,
      interval: 10,
    });
    const ended = await listener.stop();
    expect(ended.code).toBe(130);
    expect(ended.stderr).toMatch(/415[\s\S]*400/);
    expect(foreign({ argv: [], exit: 130 }, ended, language)).toEqual([]);
  });
});

describe("what bpos wrote in Spanish", () => {
  const spanish = async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const folder = temporaryFolder();
    const file = (name: string, ...lines: string[]): string => {
      writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
      return join(folder, name);
    };
    return {
      mock,
      run: shell({ env: { ...env, BPOS_LANG: "es" } }),
      file,
      path: (name: string) => join(folder, name),
    };
  };

  it("as rejected.csv is rejected again as it is, and taken once it is corrected", async () => {
    const { mock, run, file, path } = await spanish();
    const list = file("p.csv", "codigo,nombre,precio", "A,Zzyx,1", "B,Brqx,consultar", "C,Kjh");
    const rejected = path("rechazados.csv");
    const push = (name: string, ...more: string[]) => run(["catalog", "push", name, "--json", "-q", ...more]);
    expect(parse((await push(list, "--rejected", rejected)).stdout)).toMatchObject({ sent: 1 });
    const text = readFileSync(rejected, "utf8");
    expect(text).toMatch(/no es un precio[\s\S]*y después borra la celda de la derecha/);
    expect(foreign({ argv: [], exit: 0 }, { code: 0, stdout: text, stderr: "" }, "es")).toEqual([]);
    const asItIs = await push(rejected);
    expect([asItIs.code, parse(asItIs.stdout).sent]).toEqual([3, 0]);
    const filled = text.replace("consultar", "20").replace("C,Kjh,", "C,Kjh,30");
    // The row is complete, and its cell still tells that it is not.
    writeFileSync(rejected, filled);
    expect(parse((await push(rejected)).stdout)).toMatchObject({ sent: 1, rejected: [{ line: 3 }] });
    writeFileSync(rejected, filled.replace(",incomplete", ","));
    expect((await push(rejected)).code).toBe(0);
    const prices = (await mock.control.catalog("demo")).map(({ codigo, precio }) => [codigo, precio]);
    expect(prices).toEqual([
      ["A", 1],
      ["B", 20],
      ["C", 30],
    ]);
  });
});
