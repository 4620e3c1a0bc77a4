import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isoTimeToSecond, shown } from "../../cli/display/format.ts";
import { toJson } from "../../cli/display/json.ts";
import { openOutput } from "../../cli/display/output.ts";
import { column, listing, listText } from "../../cli/display/table.ts";
import { title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Fields } from "../../cli/display/values.ts";
import { checkOutputFile, checkStandardInput, openGiven } from "../../cli/files/named-files.ts";
import { exclusive } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { callMock } from "../../cli/session/mocks.ts";
import type { OrderState } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { unusable } from "../../input/files/file.ts";
import type { T } from "../../texts/texts.ts";
import { type Answer, ask, type Flags, withMock } from "./control-commands.ts";

export function setState(runtime: Runtime, id: number, status: OrderState, flags: Flags): Promise<void> {
  return ask(runtime, flags, ["PATCH", `orders/${id}`, { status }], (answer) =>
    runtime.outTexts.t("Order {id} is now {status}.", {
      id: shown(answer["order_id"]),
      status: shown(answer["status"]),
    }),
  );
}

export function templates(runtime: Runtime, flags: Flags): Promise<void> {
  return ask(runtime, flags, ["GET", "templates"], (answer, { ui }) =>
    formatTemplates(answer["templates"] as Fields[], ui).trimEnd(),
  );
}

export function formatTemplates(rows: readonly Fields[], ui: Ui): string {
  const { t } = ui.texts;
  const states = { approved: t("approved"), pending: t("pending"), rejected: t("rejected") };
  const headers = { none: t("none"), image: t("image"), video: t("video"), document: t("document") };
  const cell = (name: string) => (row: Fields) => shown(row[name]);
  // A Map, since another service may name one `constructor`.
  const word = (name: "state" | "header", known: object) => (row: Fields) =>
    new Map<string, string>(Object.entries(known)).get(String(row[name])) ?? shown(row[name]);
  const columns = [
    column(t("Name"), 1, cell("name")),
    column(t("State"), 1, word("state", states)),
    column<Fields>(t("Languages"), 2, (row) => (row["languages"] as string[]).map(shown).join(", ")),
    column(t("Header"), 2, word("header", headers)),
    column(t("Params"), 2, cell("params"), { align: "right" }),
    column(t("Id"), 4, cell("id")),
    column(t("Text"), 3, cell("body"), { shrinkTo: 20 }),
  ];
  const around = { head: [...title(t("Templates"), ui), ""], foot: [] };
  return listText(listing(columns, rows, around, ui), ui);
}

type ClockFlags = Flags<{ freeze: true; resume: true; speed: number; now: string }>;

/** Returns the body of `POST /_mock/clock`; undefined without a flag. */
function readMove({ freeze, resume, speed, now }: ClockFlags): object | undefined {
  const moves = [
    { flag: "--freeze", move: freeze && { frozen: true } },
    { flag: "--resume", move: resume && { frozen: false } },
    { flag: "--speed", move: speed !== undefined && { speed } },
    { flag: "--now", move: now !== undefined && { now } },
  ];
  const [first, second] = moves.filter(({ move }) => move);
  if (first && second) throw exclusive(first.flag, second.flag);
  return first?.move || undefined;
}

/** Returns the time and speed of a mock's clock; without a speed it is frozen. */
const clockText = (now: string, speed: string | undefined, t: T): string =>
  speed === undefined
    ? t("The mock's clock is frozen at {now}.", { now })
    : t("The mock's clock is at {now}, speed {speed}.", { now, speed });

export async function clock(runtime: Runtime, flags: ClockFlags): Promise<void> {
  const move = readMove(flags);
  const call = move ? (["POST", "clock", move] as const) : (["GET", "world"] as const);
  return ask(runtime, flags, call, ({ now, frozen, speed }, { ui }) =>
    clockText(isoTimeToSecond(now, ui), frozen === true ? undefined : shown(speed), runtime.outTexts.t),
  );
}

export async function webhook(
  runtime: Runtime,
  url: string | undefined,
  flags: Flags<{ off: true }>,
): Promise<void> {
  const { off } = flags;
  if (off && url !== undefined) throw exclusive(url, "--off");
  const isChange = off || url !== undefined;
  const call = isChange ? (["PUT", "webhook", { url: url ?? null }] as const) : (["GET", "webhook"] as const);
  const { t } = runtime.outTexts;
  return ask(runtime, { ...flags, mustRun: true }, call, (answer) =>
    answer["url"] === null
      ? t("No webhook is set, so replies are not posted.")
      : t("Replies are posted to {url}.", { url: shown(answer["url"]) }),
  );
}

async function writeExport(runtime: Runtime, file: string, text: string, isNew: boolean): Promise<void> {
  try {
    // Only the owner can read it: it contains phones.
    await writeFile(resolve(runtime.system.cwd, file), text, { flag: isNew ? "wx" : "w", mode: 0o600 });
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

export async function exportWorld(
  runtime: Runtime,
  file: string,
  flags: Flags<{ force: true }>,
): Promise<void> {
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const isNew = flags.force !== true;
  if (file !== "-") await checkOutputFile(runtime.system, { flag: "<file>", file, input: undefined, isNew });

  return withMock(runtime, flags, async (url) => {
    const document = await callMock(url, "GET", "/_mock/export");
    const text = `${toJson(document)}\n`;
    if (file === "-") return output.data(text);
    await writeExport(runtime, file, text, isNew);
    const { exported_at, scenario } = document;
    if (output.format !== "table") return output.document({ file, exported_at, scenario });
    const exported = runtime.outTexts.t("Exported the world as of {now} to {file}.", {
      now: isoTimeToSecond(exported_at, output.ui),
      file,
    });
    await output.data(`${exported}\n`);
  });
}

export async function importWorld(runtime: Runtime, file: string, flags: Flags): Promise<void> {
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  checkStandardInput(runtime, file);
  const { bytes, name } = await openGiven(runtime.system, file, output);

  let document: Answer;
  try {
    document = JSON.parse(Buffer.from(bytes).toString("utf8")) as Answer;
  } catch (error) {
    throw unusable({ name }, { kind: "json_broken", detail: (error as Error).message });
  }
  return ask(runtime, flags, ["POST", "import", document], (answer, { ui }) =>
    runtime.outTexts.t("Imported: the mock continues from {now}, scenario {scenario}.", {
      now: isoTimeToSecond(answer["now"], ui),
      scenario: shown(answer["scenario"]),
    }),
  );
}
