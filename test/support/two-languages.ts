import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type StartMockOptions, startMock } from "../../src/mock/index.ts";
import { type Language, type Texts, textsIn } from "../../src/texts/texts.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { type Run, shell, temporaryFolder } from "./run.ts";
import { pointedAt } from "./service.ts";

/** Tools of a case while its command runs. */
interface Meanwhile {
  /** The command's standard output so far. */
  out: string;
  stop: () => void;
}

/** One command line in a world of its own; `{dir}` and `{mock}` stand for the folder of its files and for the mock. */
export interface Case {
  argv: string[];
  exit: number;
  /** In a pipe, where nobody answers. */
  exitInPipe?: number;
  /** Absent: there is no service, and nothing points at one. */
  mock?: StartMockOptions;
  env?: Record<string, string>;
  files?: Record<string, string>;
  stdin?: string;
  /** Commands that run in the same home before. */
  before?: string[][];
  /** The person's answers on a terminal. */
  answers?: (texts: Texts) => (boolean | string)[];
  /** Called with each thing that the command writes to standard output. */
  during?: (meanwhile: Meanwhile) => unknown;
  /** Stopped where it would wait for the first time. */
  stopAtPause?: true;
  clock?: () => FakeClock;
  /** Words of the world itself. */
  data?: readonly RegExp[];
  /** Returns the part of the output that is looked at; all of it by default. */
  part?: (text: string) => string;
  /** It prints the same whatever -o says. */
  plain?: true;
}

/** The stream that a command writes to, and its form. */
export interface Place {
  language: Language;
  /** A terminal of 200 columns, or of so many. */
  terminal?: true | number;
  json?: true;
}

const noon = "2026-01-01T09:00:00-03:00";
const texts: Readonly<Record<Language, Texts>> = {
  en: textsIn("en"),
  es: textsIn("es"),
  "es-AR": textsIn("es-AR"),
};

/** The same text for runs that differ in port, folder, world, clock and speed alone. */
function settled(text: string, folder: string): string {
  return (
    text
      .replaceAll(folder, "/dir")
      .replace(/(?:\/[\w.-]+)*\/bpos-test-\w+/g, "/home")
      .replace(/127\.0\.0\.1(:|\/| )\d{4,5}\b/g, "127.0.0.1$10")
      .replace(/(?<=[" ])port \d{4,5}\b/g, "port 0")
      .replace(/\b\d+ ms\b/g, "0 ms")
      .replace(/(?<="(?:ms|ahead_ms|aheadMs)": ?)\d+/g, "0")
      // It is made of the address too.
      .replace(/(?<="idempotency_key": ")\w+/g, "key")
      .replace(/(?<="world_id": ")[\w-]+/g, "world")
      // A receipt is in the language of the run.
      .replace(/(?<="bytes": )\d+/g, "0")
      .replace(/(?<="now": ")[^"]+/g, "now")
  );
}

/** Runs a case from nothing; all that runs of one case may differ in is the language. */
export async function play(one: Case, { language, terminal, json }: Place): Promise<Run> {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  for (const [name, text] of Object.entries(one.files ?? {}))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const mock = one.mock && (await startMock({ clock: noon, seed: 1, ...one.mock }));
  const key = mock?.keys[0]?.key ?? "";
  const put = (word: string): string =>
    word.replaceAll("{dir}", folder).replaceAll("{mock}", mock?.baseUrl ?? "");
  const given = Object.entries(one.env ?? {}).map(([name, value]) => [name, put(value)]);
  const clock = one.clock?.() ?? fakeClock();
  let stop = (): void => undefined;
  let ids = 0;
  const run = shell({
    env: {
      ...(mock && pointedAt(mock.baseUrl, mock.campaignsBaseUrl, key)),
      ...{ BPOS_HOME: home, BPOS_LANG: language, NO_COLOR: "1" },
      ...(Object.fromEntries(given) as Record<string, string>),
    },
    cwd: folder,
    clock: {
      now: () => clock.now(),
      sleep(ms, signal) {
        if (one.stopAtPause) stop();
        return clock.sleep(ms, signal);
      },
    },
    random: () => 0.5,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
  });
  try {
    for (const line of one.before ?? []) await run(line.map(put));
    const { code, stdout, stderr } = await run([...one.argv.map(put), ...(json ? ["--json"] : [])], {
      ...(one.stdin !== undefined && { stdin: one.stdin }),
      ...(terminal && {
        terminal: terminal === true ? 200 : terminal,
        answers: (one.answers?.(texts[language]) ?? []).map((each) =>
          typeof each === "string" ? put(each) : each,
        ),
      }),
      onStart: (means) => {
        stop = means;
      },
      onOutput: (out) => void one.during?.({ out, stop }),
    });
    return { code, stdout: settled(stdout, folder), stderr: settled(stderr, folder) };
  } finally {
    await mock?.close();
  }
}
