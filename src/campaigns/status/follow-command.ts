import { openFrame } from "../../cli/frame.ts";
import { type Output, said } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { canRedraw, forPeople } from "../../cli/terminal.ts";
import { BposError } from "../../errors.ts";
import type { WatchStep } from "./follow.ts";
import type { WatchFrame } from "./follow-view.ts";
import type { CampaignsStatus, KnownPeople, StatusesFound, StatusReading } from "./read.ts";

/** What one reading of everything that was asked for brought. */
export interface CampaignLook {
  /** As it was read. */
  status: StatusReading;
  /** What is to be shown of it, and what came of --only. */
  kept: { status: CampaignsStatus; found?: StatusesFound };
  /** Calls of the reference that have no campaign yet, and all of its calls. */
  open: number;
  all: number;
  people: KnownPeople;
}

/** What is to be followed, and how. */
interface Following {
  ref: string;
  several: boolean;
  /** Shows each look, not only the last one. */
  watch: boolean;
  waitMs: number | undefined;
  /** False where other lines would get into the picture. */
  live: boolean;
}

type Step = WatchStep<CampaignLook>;

/** Shows the steps of a watch. */
interface Show {
  step: (step: Step, remarks: readonly string[]) => Promise<void>;
  tick?: () => Promise<void>;
}

/** On a terminal: one picture, drawn again every second. */
async function pictures({ system }: Runtime, output: Output): Promise<Show> {
  const { watchFrame } = await import("./follow-view.ts");
  const { stdout, clock } = system;
  const frame = openFrame(forPeople(stdout, system));
  let now: WatchFrame = {
    ...{ status: undefined, lookedAt: undefined, nextAt: 0, trouble: undefined, remarks: [] },
  };
  const draw = (): Promise<void> => {
    // A window is resized at any time. In the last column, and in the last row, a terminal goes on by itself.
    const width = Math.max(1, (stdout.columns() ?? 80) - 1);
    const rows = Math.max(1, (stdout.rows() ?? 24) - 1);
    return frame.draw(watchFrame(now, { ...output.ui, width, now: clock.now() }, rows));
  };
  await draw();
  return {
    tick: draw,
    async step(step, remarks) {
      const { nextAt } = step;
      if (step.kind === "failed")
        now = { ...now, nextAt, remarks, trouble: await said(step.error, output.texts) };
      else {
        const { kept, people } = step.look;
        now = { ...kept, people, lookedAt: step.at, nextAt, trouble: undefined, remarks };
      }
      await draw();
    },
  };
}

/** In a pipe: a line for each change. */
async function changes(_runtime: Runtime, output: Output): Promise<Show> {
  const { changesSince } = await import("./follow.ts");
  const { isoWithOffset } = await import("../../contract/instants.ts");
  const { changeLine, countsLine } = await import("./follow-view.ts");
  const { notFound } = await import("./recipients-view.ts");
  const { ui } = output;
  let before: CampaignsStatus | undefined;
  let counted = "";
  return {
    async step(step, remarks) {
      if (step.kind === "failed")
        await output.notice(output.texts.follow.noAnswer(await said(step.error, output.texts)));
      else {
        const { kept } = step.look;
        if (before === undefined) for (const text of notFound(kept.found, ui)) await output.notice(text);
        const line = countsLine(step.look.status, ui);
        const lines = changesSince(before, kept.status).map((change) => changeLine(change, ui));
        if (line !== counted) lines.unshift(line);
        counted = line;
        before = kept.status;
        const at = isoWithOffset(step.at);
        if (lines.length > 0) await output.data(lines.map((each) => `${at}  ${each}\n`).join(""));
      }
      for (const remark of remarks) await output.notice(remark);
    },
  };
}

/** With ndjson: a document for each look. */
async function documents(output: Output, several: boolean): Promise<Show> {
  const { campaignsStatusJson } = await import("./view.ts");
  return {
    async step(step, remarks) {
      if (step.kind === "failed")
        await output.notice(output.texts.follow.noAnswer(await said(step.error, output.texts)));
      else await output.document(campaignsStatusJson(step.look.kept.status, { several }));
      for (const remark of remarks) await output.notice(remark);
    },
  };
}

/** Says only what is remarkable: the last look is the report. */
function nothing(output: Output): Show {
  return {
    async step(step, remarks) {
      if (step.kind === "failed")
        await output.notice(output.texts.follow.noAnswer(await said(step.error, output.texts)));
      for (const remark of remarks) await output.notice(remark);
    },
  };
}

function showOf(runtime: Runtime, output: Output, { watch, several, live }: Following): Promise<Show> {
  if (!watch || output.format === "json" || output.format === "csv") return Promise.resolve(nothing(output));
  if (output.format === "ndjson") return documents(output, several);
  return live && canRedraw(runtime.system.stdout, runtime.system)
    ? pictures(runtime, output)
    : changes(runtime, output);
}

/**
 * Looks at campaigns until all of them are final, or `waitMs` is over. Returns the last look that had an answer, whether
 * everything is final, and whether it was shown already. Throws the last failure when no look had an answer.
 */
export async function followCampaigns(
  runtime: Runtime,
  output: Output,
  read: () => Promise<CampaignLook>,
  following: Following,
): Promise<{ look: CampaignLook; final: boolean; shown: boolean }> {
  const { system, signal } = runtime;
  const { ref, watch, waitMs } = following;
  const { watchCampaigns } = await import("./follow.ts");
  const { age, count } = await import("../../cli/format.ts");
  const show = await showOf(runtime, output, following);
  const limit = age(waitMs ?? 0);
  if (!watch && system.stderr.isTerminal) await output.notice(runtime.texts.follow.waiting(limit));
  let last: { look: CampaignLook; final: boolean } | undefined;
  let openSaid = 0;
  const live = show.tick !== undefined;
  for await (const step of watchCampaigns(() => read(), {
    clock: system.clock,
    signal,
    waitMs,
    onTick: show.tick,
  })) {
    if (step.kind === "looked") last = step;
    else if (step.nextAt === undefined && last === undefined) throw step.error;
    const remarks: string[] = [];
    const { open = 0, all = 0 } = last?.look ?? {};
    // A picture shows it each time; of lines, one is enough.
    if (open > 0 && (live || open !== openSaid)) {
      openSaid = open;
      remarks.push(runtime.texts.follow.open(count(open, output.ui), count(all, output.ui), ref));
    }
    if (step.nextAt === undefined)
      remarks.push(
        step.kind === "looked" && step.final ? runtime.texts.follow.final : runtime.texts.follow.over(limit),
      );
    await show.step(step, remarks);
  }
  if (last === undefined) throw new BposError("bug", { detail: "a watch without a look" });
  return { ...last, shown: watch && (output.format === "table" || output.format === "ndjson") };
}
