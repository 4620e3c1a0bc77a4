import { chosenObjects, type FieldsOf, nothingOf } from "../../cli/display/fields.ts";
import { ABSENT, shown, timeToSecond } from "../../cli/display/format.ts";
import { toJson } from "../../cli/display/json.ts";
import { openOutput } from "../../cli/display/output.ts";
import { forScreen, pad, textWidth, truncate, wrap } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Fields } from "../../cli/display/values.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { callMock } from "../../cli/session/mocks.ts";
import { BposError } from "../../errors.ts";
import { requestNames } from "./command.ts";
import { type Flags, withMock } from "./control-commands.ts";

const followEveryMs = 500;

export async function log(runtime: Runtime, flags: Flags<{ follow: true; limit: number }>): Promise<void> {
  const { system, signal } = runtime;
  const { fields } = runtime.flags;
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { format, ui } = output;
  await withMock(runtime, flags, async (url) => {
    let seen = 0;
    let limit = flags.limit ?? 100;
    do {
      const answer = await callMock(url, "GET", `/_mock/requests?limit=${limit}`);
      const rows = answer["requests"] as (Fields & { id: number })[];

      // A reset empties the log, and another mock counts from 1.
      if ((rows.at(-1)?.id ?? 0) < seen) seen = 0;
      const fresh = rows.filter((row) => row.id > seen);
      seen = rows.at(-1)?.id ?? seen;
      limit = 1000;

      const requests = chosenObjects(requestFields, fresh, { fields, format });
      if (format === "json" && !flags.follow) await output.document({ ...answer, requests });
      else if (format !== "table") await output.data(requests.map((row) => `${toJson(row)}\n`).join(""));
      else await output.data(fresh.map((row) => formatRequest(row, ui, fields)).join(""));

      if (flags.follow) await system.clock.sleep(followEveryMs, signal);
    } while (flags.follow && !signal.aborted);
    if (signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}

const requestFields: FieldsOf<Fields> = {
  object: (row) => row,
  example: nothingOf(requestNames),
  columns: [],
};

interface Cell {
  text: string;
  style: (text: string) => string;
  /** May be cut to the rest of the line. */
  isId?: true;
}

const gap = "  ";
/** Up to the path, in most rows: what does not fit stands below it. */
const indent = 37;
const minRoom = 30;
/** On a terminal; an id of bpos has 64 digits, which `-o json` shows. */
const minId = 12;
const maxId = 24;

function formatCells(row: Fields, { theme }: Ui): Cell[] {
  const status = Number(row["status"]);
  const tone = status >= 500 || status === 0 ? theme.bad : status >= 400 ? theme.warn : theme.good;
  const plain = (text: string): string => text;
  const path = shown(row["path"]) + (row["query"] ? `?${shown(row["query"])}` : "");
  const id = row["event_id"] ?? row["idempotency_key"] ?? row["reply_id"];
  const cell = (text: unknown, style: Cell["style"]): Cell[] => (text ? [{ text: shown(text), style }] : []);

  return [
    { text: truncate(timeToSecond(row["at"]), 8), style: theme.dim },
    { text: pad(shown(row["method"]), 4), style: plain },
    { text: pad(status === 0 ? ABSENT : shown(row["status"]), 3, "right"), style: tone },
    { text: pad(`${shown(row["ms"])} ms`, 7, "right"), style: theme.dim },
    { text: pad(shown(row["branch"]), 5), style: plain },
    { text: row["direction"] === "out" ? `→ ${path}` : path, style: plain },
    // The key of a known branch adds nothing.
    ...cell(row["branch"] ? undefined : row["key"], theme.dim),
    ...cell(id, theme.dim).map((each) => ({ ...each, isId: true as const })),
    ...cell(row["fault"] && `[${shown(row["fault"])}]`, theme.warn),
    ...cell(row["error"], tone),
  ];
}

/** A request as a line: on a terminal what does not fit goes below, and only an id is cut. */
export function formatRequest(given: Fields, ui: Ui, chosen?: readonly string[]): string {
  const row = forScreen(given, ui);
  if (chosen !== undefined) return `${chosen.map((name) => shown(row[name])).join(gap)}\n`;
  const { width = Infinity } = ui;
  const left = width - indent < minRoom ? gap.length : indent;
  const below = `\n${" ".repeat(left)}`;
  let text = "";
  let used = 0;

  for (const { style, isId, text: content } of formatCells(row, ui)) {
    const before = used === 0 ? "" : gap;
    const rest = width - used - before.length;
    const idWidth = width === Infinity ? width : Math.min(maxId, rest < minId ? width - left : rest);
    const word = isId ? truncate(content, idWidth) : content;

    if (textWidth(word) <= rest) {
      text += before + style(word);
      used += before.length + textWidth(word);
      continue;
    }

    const lines = wrap(word, width - left);
    // The path begins where the lines below do.
    const isBelow = used + gap.length !== left;
    text += (isBelow ? below : gap) + lines.map(style).join(below);
    used = left + textWidth(lines.at(-1) ?? "");
  }
  return `${text}\n`;
}
