import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type StartMockOptions, startMock } from "../../src/mock/index.ts";
import { en } from "../../src/text/en.ts";
import { es } from "../../src/text/es.ts";
import type { Language } from "../../src/text/language.ts";
import type { Texts } from "../../src/text/texts.ts";
import { fakeClock } from "./fake-clock.ts";
import { type Run, shell, temporaryFolder, type World } from "./run.ts";
import { pointedAt } from "./service.ts";

/** What a case may do while its command runs. */
export interface Meanwhile {
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
  /** What was run in the same home before. */
  before?: string[][];
  /** What the person answers on a terminal. */
  answers?: (texts: Texts) => (boolean | string)[];
  /** Called with each thing that the command writes to standard output. */
  during?: (meanwhile: Meanwhile) => unknown;
  /** Stopped before it does anything. */
  stopAtOnce?: true;
  clock?: () => World["clock"];
  /** Words of the world that are data. */
  data?: readonly (string | RegExp)[];
}

/** Where a command writes to, and in which form. */
export interface Place {
  language: Language;
  terminal?: true;
  json?: true;
}

const noon = "2026-01-01T09:00:00-03:00";
const texts: Readonly<Record<Language, Texts>> = { en, es };

/** The same text for runs that differ in port, folder and speed alone. */
function settled(text: string, folder: string): string {
  return text
    .replaceAll(folder, "/dir")
    .replace(/\/tmp\/bpos-test-\w+/g, "/home")
    .replace(/127\.0\.0\.1(:|\/| )\d{4,5}\b/g, "127.0.0.1$10")
    .replace(/(?<=[" ])port \d{4,5}\b/g, "port 0")
    .replace(/\b\d+ ms\b/g, "0 ms");
}

/** Runs a case from nothing; all that runs of one case may differ in is the language. */
export async function play(one: Case, { language, terminal, json }: Place): Promise<Run> {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  for (const [name, text] of Object.entries(one.files ?? {}))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const mock = one.mock && (await startMock({ clock: noon, seed: 1, ...one.mock }));
  const key = mock?.keys[0]?.key ?? "";
  const put = (word: string): string =>
    word.replaceAll("{dir}", folder).replaceAll("{mock}", mock?.baseUrl ?? "");
  const given = Object.entries(one.env ?? {}).map(([name, value]) => [name, put(value)]);
  let ids = 0;
  const run = shell({
    env: {
      ...(mock && pointedAt(mock.baseUrl, mock.campaignsBaseUrl, key)),
      ...{ BPOS_HOME: home, BPOS_LANG: language, NO_COLOR: "1" },
      ...(Object.fromEntries(given) as Record<string, string>),
    },
    cwd: folder,
    clock: one.clock?.() ?? fakeClock(),
    random: () => 0.5,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
  });
  try {
    for (const line of one.before ?? []) await run(line.map(put));
    let stop = (): void => undefined;
    const { code, stdout, stderr } = await run([...one.argv.map(put), ...(json ? ["--json"] : [])], {
      ...(one.stdin !== undefined && { stdin: one.stdin }),
      ...(terminal && { terminal: 200, answers: one.answers?.(texts[language]) ?? [] }),
      onStart: (means) => {
        stop = means;
        if (one.stopAtOnce) stop();
      },
      onOutput: (out) => void one.during?.({ out, stop }),
    });
    return { code, stdout: settled(stdout, folder), stderr: settled(stderr, folder) };
  } finally {
    await mock?.close();
  }
}
