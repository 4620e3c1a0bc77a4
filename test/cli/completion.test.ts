import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";

/** Names that a shell would do something with, if it could. */
const hostile = [
  "a b",
  "$(touch pwned)",
  "`touch pwned`",
  "x'y",
  'q"q',
  "a;b",
  "!1",
  "~root",
  "*",
  "‘x",
  "-p",
];
/** Names that must not reach a terminal at all. */
const unspeakable = ["esc\u001b[2J", "line\nbreak", "tab\tbed", "rtl\u202etxt", "nul\u0000"];

let home: string;
let run: ReturnType<typeof shell>;
beforeEach(() => {
  home = temporaryFolder();
  run = shell({ env: { BPOS_HOME: home } });
});

/** Returns the completions of these words, the last one being typed: the kind, then the values. */
async function offered(
  words: string[],
  of: "bash" | "zsh" | "fish" | "powershell" = "zsh",
): Promise<string[]> {
  const { code, stdout, stderr } = await run(["__complete", of, "--", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "");
}

function profiles(names: readonly string[]): void {
  const content = { profiles: Object.fromEntries(names.map((name) => [name, {}])) };
  writeFileSync(join(home, "config.json"), JSON.stringify(content), { mode: 0o600 });
}

describe("what is offered", () => {
  it("commands, and those below them, without the hidden one", async () => {
    expect(await offered([""])).toEqual(expect.arrayContaining(["words", "orders", "catalog", "help"]));
    expect(await offered([""])).not.toContain("__complete");
    expect(await offered(["orders", ""])).toEqual(["words", "list", "show", "watch", "forget"]);
    expect(await offered(["orders", "w"])).toEqual(["words", "watch"]);
    expect(await offered(["-p", "centro", "--json", "orders", "s"])).toEqual(["words", "show"]);
  });

  it("the command's flags and the global ones, each once, unless it may come again", async () => {
    const flags = await offered(["campaign", "send", "f.csv", "--dry-run", "--exclude", "a.csv", "--"]);
    expect(flags).toEqual(expect.arrayContaining(["--template", "--json", "--help", "--exclude"]));
    expect(flags).not.toContain("--dry-run");
    expect(flags).not.toContain("--once");
    expect(await offered(["orders", "list", "--", "--"])).toEqual(["words"]);
  });

  it("the values of a flag, behind a space, an equals sign and a comma", async () => {
    expect(await offered(["-o", ""])).toEqual(["words", "table", "json", "ndjson", "csv"]);
    expect(await offered(["orders", "list", "--output=nd"])).toEqual(["words", "--output=ndjson"]);
    expect(await offered(["orders", "list", "--status", "pendiente,li"])).toEqual([
      "words",
      "pendiente,listo",
    ]);
    expect(await offered(["mock", "order", "--status", "al"])).toEqual(["words"]);
    expect(await offered(["--lang", ""])).toEqual(["words", "en", "es", "es-AR"]);
    expect(await offered(["orders", "list", "--limit", ""])).toEqual(["words"]);
  });

  it("the fields of a list, and the commands that have a schema", async () => {
    expect(await offered(["journal", "status", "--fields", ""])).toEqual([
      ...["words", "subject", "entries", "pending", "oldest"],
    ]);
    expect(await offered(["journal", "status", "--fields", "subject,"])).toContain("subject,pending");
    expect(await offered(["doctor", "--fields", ""])).toEqual(["words"]);
    expect(await offered(["schema", "orders", "w"])).toEqual(["words", "watch"]);
  });

  it("profiles, and what past sends were called", async () => {
    profiles(["centro", "norte"]);
    expect(await offered(["-p", ""])).toEqual(["words", "centro", "norte"]);
    expect(await offered(["profile", "use", "n"])).toEqual(["words", "norte"]);
    const send = ["--mock", "campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo"];
    const { code } = await run([...send, "--ref", "enero:1", "--yes"]);
    expect(code).toBe(exitCodes.partial);
    const { stdout } = await run(["__complete", "zsh", "--", "--mock", "campaign", "status", ""]);
    expect(stdout).toMatch(/^words\ncmp_\w+\tenero:1\n/);
    expect(await offered(["--mock", "campaign", "resume", ""])).toEqual(["words", "enero:1"]);
    expect(await offered(["--mock", "campaign", "send", "f", "--template", ""])).toEqual([
      "words",
      "pedido_listo",
    ]);
    // bash takes words apart at colons and replaces only what stands behind the last one.
    expect(await offered(["--mock", "campaign", "status", "--ref", "enero", ":", ""], "bash")).toEqual([
      "words",
      "1",
    ]);
    // The journal of rehearsals is not the real one.
    expect(await offered(["campaign", "resume", ""])).toEqual(["words"]);
    expect(existsSync(join(home, "state", "journal.db"))).toBe(false);
  });
});

describe("what is not", () => {
  it("what would be taken for a flag, unless it cannot be", async () => {
    profiles(["--yes", "centro"]);
    expect(await offered(["profile", "remove", ""])).toEqual(["words", "centro"]);
    expect(await offered(["profile", "remove", "--", ""])).toEqual(["words", "--yes", "centro"]);
    expect(await offered(["--profile="])).toEqual(["words", "--profile=--yes", "--profile=centro"]);
  });

  it.each(["bash", "zsh", "fish", "powershell"] as const)("a control character, in %s", async (of) => {
    profiles([...unspeakable, "centro"]);
    const mark = of === "powershell" ? "=" : "";
    expect(await offered([`${mark}-p`, mark], of)).toEqual(["words", "centro"]);
  });

  it("a bare name that a shell would run, in those that insert as it comes", async () => {
    profiles(hostile);
    expect(await offered(["-p", ""], "bash")).toEqual([
      "words",
      "a\\ b",
      "\\$\\(touch\\ pwned\\)",
      "\\`touch\\ pwned\\`",
      "x\\'y",
      'q\\"q',
      "a\\;b",
      "\\!1",
      "\\~root",
      "\\*",
      "\\‘x",
      "-p",
    ]);
    expect(await offered(["=-p", "="], "powershell")).toEqual([
      "words",
      "'a b'",
      "'$(touch pwned)'",
      "'`touch pwned`'",
      "'x''y'",
      "'q\"q'",
      "'a;b'",
      "'!1'",
      "'~root'",
      "'*'",
      "'‘‘x'",
      "-p",
    ]);
  });

  it("anything in an open quote of bash", async () => {
    profiles(hostile);
    expect(await offered(["-p", '"$'], "bash")).toEqual(["words"]);
    expect(await offered(["-p", "'x"], "bash")).toEqual(["words"]);
    expect(await offered(["-p", "a\\ "], "bash")).toEqual(["words", "a\\ b"]);
  });
});

it("prints a script for each shell, and names them to whoever asks for another", async () => {
  for (const name of ["bash", "zsh", "fish", "powershell"]) {
    const { code, stdout } = await run(["completion", name]);
    expect(code).toBe(0);
    expect(stdout).toContain(`bpos __complete ${name} -- `);
  }
  const { code, stderr } = await run(["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(stderr).toContain("bash, zsh, fish, powershell");
});
