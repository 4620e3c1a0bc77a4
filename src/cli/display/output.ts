import { BposError } from "../../errors.ts";
import type { System } from "../../system.ts";
import type { T, Texts } from "../../texts/texts.ts";
import type { Runtime } from "../runtime.ts";
import { inChunks } from "./csv.ts";
import type { Format } from "./formats.ts";
import { jsonParts, toJson } from "./json.ts";
import type { LogFacts } from "./log.ts";
import type { Listing } from "./table.ts";
import { textStream } from "./terminal.ts";
import { paragraph } from "./text.ts";
import { chooseColors, createTheme, type DisplayOptions, type Ui, uiFor } from "./ui.ts";

export interface Output {
  format: Format;
  quiet: boolean;
  /** The language of standard error; `ui.texts` is that of the data. */
  texts: Texts;
  ui: Ui;
  errorUi: Ui;
  data(text: string): Promise<void>;
  /** Writes a list; in a pipe its title and notes go to standard error, if that is a terminal. */
  list(view: (ui: Ui) => Listing): Promise<void>;
  /** Writes data on a new line, even if an earlier run or a full disk left half a line in the file. */
  delivery(text: string): Promise<void>;
  document(value: unknown): Promise<void>;
  /** Says once that an answer differs from the specification; the data itself is shown as it came. */
  mismatches(found: readonly string[]): Promise<void>;
  /** One line on standard error, made safe for a terminal; nothing with --quiet. */
  notice(text: string, facts?: LogFacts): Promise<void>;
  /** A notice that --quiet keeps, because something is wrong. */
  warning(text: string, facts?: LogFacts): Promise<void>;
  /** A notice of several lines, from a view. */
  block(text: string): Promise<void>;
}

/** Saves a report for later listings; a failure is reported but not thrown, since the work must still be reported. */
export async function keepForHistory(output: Output, keep: () => Promise<void> | void): Promise<void> {
  try {
    await keep();
  } catch (error) {
    const notKept = output.texts.t(
      "Warning: could not save the report in the journal ({detail}). The history will be incomplete.",
      { detail: (error as Error).message },
    );
    await output.warning(notKept);
  }
}

export async function describeError(
  error: unknown,
  texts: Texts,
  how: { advises?: boolean } = {},
): Promise<string> {
  const { errorSentence } = await import("./error-text.ts");
  return errorSentence(error, texts, how);
}

/** A format set for all commands must not break a command without it: that command uses the nearest format. */
const nearest: Readonly<Record<string, readonly Format[]>> = {
  json: ["ndjson", "table"],
  ndjson: ["json", "table"],
  csv: ["table"],
};

interface FormatFlags {
  json?: boolean | undefined;
  output?: Format | undefined;
  jq?: string | undefined;
}

const exclusive = (one: string, other: string): BposError =>
  new BposError("usage_flag", { problem: { kind: "exclusive", flags: [one, other] } });

function chooseFormat(
  { json, output, jq }: FormatFlags,
  env: System["env"],
  allowed: readonly Format[],
): Format {
  if (jq !== undefined) {
    if (output === "table" || output === "csv") throw exclusive("--jq", `-o ${output}`);
    const choices = [output ?? "json", "ndjson"];
    const format = allowed.find((each) => choices.includes(each));
    if (format !== undefined && (output === undefined || output === format)) return format;
  }
  if (json === true && output !== undefined && output !== "json") throw exclusive("--json", `-o ${output}`);
  const asked = json === true ? "json" : output;
  const wanted = asked ?? (env["BPOS_OUTPUT"] || "table");
  const choices = [wanted, ...((asked === undefined && nearest[wanted]) || [])];
  const format = choices.flatMap((choice) => allowed.filter((each) => each === choice))[0];
  if (format !== undefined) return format;
  const given = `${asked === undefined ? "BPOS_OUTPUT=" : "-o "}${wanted}`;
  throw new BposError("usage_flag", { problem: { kind: "format_unwritten", given, formats: allowed } });
}

async function printList(view: (ui: Ui) => Listing, output: Output): Promise<void> {
  const { ui, errorUi } = output;
  const { listText } = await import("./table.ts");
  await output.data(listText(view(ui), ui));
  if (ui.width === undefined && errorUi.width !== undefined)
    await output.block(listText({ ...view(errorUi), rows: "" }, errorUi));
}

/** Writes lines to people, or to a log, on standard error. A notice that nobody can read must not stop the work. */
export function openNotices({ system, flags }: Pick<Runtime, "system" | "flags">, quiet: boolean) {
  const { stderr, log } = system;
  const { warn } = createTheme(chooseColors(stderr, system, flags));
  const loud = (text: string): Promise<void> => stderr.write(text).catch(() => undefined);
  const say = (level: "info" | "warn", text: string, facts?: LogFacts): Promise<void> => {
    if (log !== undefined) return log(level, text, facts).catch(() => undefined);
    const width = stderr.isTerminal ? stderr.columns() : undefined;
    const lines = paragraph(text, { width });
    return loud(`${(level === "warn" ? lines.map(warn) : lines).join("\n")}\n`);
  };
  return {
    notice: async (text: string, facts?: LogFacts): Promise<void> =>
      quiet ? undefined : say("info", text, facts),
    warning: (text: string, facts?: LogFacts): Promise<void> => say("warn", text, facts),
    block: async (text: string): Promise<void> => (quiet ? undefined : loud(text)),
  };
}

/** Says how an answer differs from the specification, and in how many other ways. */
export const mismatchText = (first: string, more: number, t: T): string =>
  more > 0
    ? t(
        "Note: the response does not match the service's specification ({first} and {more} more). It is shown unchanged.",
        { first, more },
      )
    : t("Note: the response does not match the service's specification ({first}). It is shown unchanged.", {
        first,
      });

/** Says that standard output is not being read. */
export const stalledText = (t: T): string =>
  t(
    "Nothing is reading standard output. Its deliveries stay pending, and everything else continues. If the terminal is paused, press Ctrl-Q to resume it.",
  );

export function openOutput(
  runtime: Pick<Runtime, "system" | "texts" | "outTexts" | "flags" | "jqFailed">,
  allowed: readonly Format[],
  display?: DisplayOptions,
): Output {
  const { system, texts, flags } = runtime;
  const { stdout, stderr } = system;
  const quiet = flags.quiet === true;
  const format = chooseFormat(flags, system.env, allowed);
  const out = format === "table" ? textStream(stdout, system) : stdout;
  const { notice, warning, block } = openNotices(runtime, quiet);

  /** Filters JSON with the program of --jq; the JSON may come a line at a time. */
  const through = async (json: string): Promise<string> => {
    if (flags.jq === undefined) return json;
    const { filter } = await import("./jq.ts");
    const { text, failure } = await filter(flags.jq, json, stdout.isTerminal);
    if (failure !== undefined) {
      runtime.jqFailed = true;
      const failed = texts.t("--jq: {detail}. The command succeeded; only the filter failed.", {
        detail: failure,
      });
      await warning(failed, { event: "jq.failed" });
    }
    return text;
  };
  const [ui, errorUi] = [uiFor(stdout, runtime, display), uiFor(stderr, runtime, display)];
  return {
    format,
    quiet,
    texts,
    ui,
    errorUi,
    data: async (text) => out.write(await through(text)),
    list(view) {
      return printList(view, this);
    },
    async delivery(given) {
      // Without --jq at once: what is written to both streams stays in the sequence of the calls.
      const text = flags.jq === undefined ? given : await through(given);
      await out.write(out.isMidLine() ? `\n${text}` : text);
    },
    async document(value) {
      if (flags.jq !== undefined) return out.write(await through(toJson(value)));
      for (const chunk of inChunks(jsonParts(value, format === "json"), "\n")) await stdout.write(chunk);
    },
    async mismatches([first, ...more]) {
      if (first !== undefined)
        await notice(mismatchText(first, more.length, texts.t), { event: "answer.mismatch" });
    },
    notice,
    warning,
    block,
  };
}

export function mayAsk({ system, flags }: Pick<Runtime, "system" | "flags">): boolean {
  return system.stdin.isTerminal && system.stderr.isTerminal && !system.env["CI"] && flags.input !== false;
}
