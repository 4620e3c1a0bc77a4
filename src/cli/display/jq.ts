import { type Jq, loadJq } from "jq-wasm";
import { BposError } from "../../errors.ts";
import { readOwnFile } from "../../own-files.ts";
import { visible } from "./format.ts";
import { safeInJson } from "./json.ts";

let started: Promise<Jq> | undefined;
const start = (): Promise<Jq> => (started ??= loadJq({ wasmBinary: readOwnFile("dist/jq.wasm") }));

/** The exit code of jq for a program that it cannot read. */
const notCompiled = 3;

const readMessage = (stderr: string): string =>
  (stderr.split("\n")[0] ?? "").replace(/^jq: (?:error: |error \([^)]*\): )?/, "").replace(/:$/, "");

/** Throws `usage_flag` for an invalid jq program. Does not run it, which could take any time. */
export async function checkProgram(program: string): Promise<void> {
  const jq = await start();
  if (jq.raw(null, `empty | (\n${program}\n)`).exitCode !== notCompiled) return;
  // Parsed alone, it has the lines and columns of what the person typed.
  const { exitCode, stderr } = jq.raw(null, program);
  if (exitCode !== notCompiled) return;
  const problem = { kind: "not_jq", text: program, detail: readMessage(stderr) } as const;
  throw new BposError("usage_flag", { problem: { kind: "value", flag: "--jq", problem } });
}

/** Runs a jq program on JSON texts. Returns one line per value, with strings unquoted, and in `failure` why it stopped early. */
export async function filter(program: string, json: string, isTerminal: boolean) {
  const jq = await start();
  // As JSON, because the library trims its output and a string can begin or end with blanks.
  const { stdout, stderr, exitCode } = jq.raw(json, program, ["-c"]);
  const lines = stdout === "" ? [] : stdout.split("\n");
  const shown = lines.map((line) => {
    if (!line.startsWith('"')) return safeInJson(line);
    const text = JSON.parse(line) as string;
    return isTerminal ? text.split("\n").map(visible).join("\n") : text;
  });
  return {
    text: shown.map((line) => `${line}\n`).join(""),
    ...(exitCode !== 0 && { failure: visible(readMessage(stderr)) }),
  };
}
