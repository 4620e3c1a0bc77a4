import type { Output } from "../../cli/display/output.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { readGivenRows, wholeListMs } from "../../cli/files/given-rows.ts";
import { noticeWords } from "../../cli/files/notices.ts";
import { exclusive, needsFlag, onlyGiven } from "../../cli/line/flags.ts";
import { readHours } from "../../cli/line/hours-flags.ts";
import { readInstant } from "../../cli/line/instant.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { OpenJournal, Session } from "../../cli/session/session.ts";
import { limits } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import { type InputFile, unusable } from "../../input/files/file.ts";
import { countryCode, readPhone, type UsablePhone } from "../../input/phone.ts";
import {
  type ExclusionOptions,
  type Exclusions,
  readExclusions,
  readRecipients,
} from "../../input/recipients.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Settings } from "../../settings/settings.ts";
import { fileName } from "../../texts/phrases.ts";
import { machineTime } from "../machine-time.ts";
import { earlierMessages } from "../sending/repeats.ts";
import { findWaiting, type Schedule, type Waiting } from "../sending/schedule.ts";
import { renderTemplate } from "../template.ts";
import type { SendFlags } from "./command.ts";
import { failedRecipients, keepOnlyFailed, retryRef } from "./only-failed.ts";
import { defaultRef, personsOf, planSend, type SendPlan, type SendRequest, testRequest } from "./plan.ts";
import {
  findTemplate,
  type MockTemplate,
  mockTemplates,
  readTemplateText,
  type TemplateText,
} from "./template-text.ts";

const canaryWaitMs = 10 * 60_000;

/** A run of `campaign send`: its flags and files, and the branch's session. */
export interface SendRun {
  runtime: Runtime;
  path: string;
  flags: SendFlags;
  /** All files that are read, none of which a report may replace; "-" is standard input. */
  inputs: readonly string[];
  session: Session;
}

/** A request with its plan; nothing is written and nothing sent yet. */
export interface Prepared extends SendRun {
  open: OpenJournal;
  request: SendRequest;
  plan: SendPlan;
  /** Recipients of the plan who would wait, by country. */
  waiting: readonly Waiting[];
  /** The templates of a mock; undefined where the service does not list its own. */
  templates: readonly MockTemplate[] | undefined;
}

/** `--sheet` counts here too where the file has a sheet of that name. */
async function readExclusionFile(file: InputFile, options: ExclusionOptions, signal: AbortSignal) {
  try {
    return await readExclusions(file, options, signal);
  } catch (error) {
    const problem = isReason(error, "input_unusable") ? error.facts.problem : undefined;
    if (problem?.kind === "sheet_unknown" || problem?.kind === "no_workbook")
      return readExclusionFile(file, { ...options, sheet: undefined }, signal);

    if (problem?.kind !== "sheets_several") throw error;
    throw unusable(file, { kind: "exclusion_sheets", sheets: problem.sheets });
  }
}

/** Reads the people to exclude. Throws `input_unusable` for a row with an unreadable phone: that person would get the message. */
async function readExcluded(
  runtime: Runtime,
  { output }: Session,
  paths: readonly string[],
  options: ExclusionOptions,
): Promise<Exclusions> {
  const { signal, texts } = runtime;
  const all = new Map<string, { file: string; line: number }>();
  for (const path of paths) {
    // A person missing from a truncated list would get the message.
    const { file, people, unreadable, notices } = await readGivenRows(
      runtime,
      { path, settledMs: wholeListMs },
      output,
      async (opened) => ({ file: opened, ...(await readExclusionFile(opened, options, signal)) }),
    );
    for (const notice of notices) await output.notice(`${file.name}: ${noticeWords(notice, texts.t)}`);

    const [first, ...more] = unreadable;
    if (first !== undefined) {
      const problem = { kind: "exclusion_unreadable", row: first.problem, more: more.length } as const;
      throw unusable(file, problem, first.line);
    }

    const { t } = texts;
    const nobody = t("Note: {file} contains no phones, so it excludes nobody.", {
      file: fileName(file.name, t),
    });
    if (people.size === 0) await output.notice(nobody);
    for (const [person, place] of people) all.set(person, place);
  }
  return all;
}

async function readFiles({ runtime, path, flags, session }: SendRun, template: TemplateText | undefined) {
  const { system, signal, texts } = runtime;
  const { output, settings } = session;
  const phones = onlyGiven({
    phoneColumn: flags.phoneColumn,
    country: flags.country ?? settings.country,
    area: settings.areaCode,
  });
  // Cells of a workbook are read as they show in the region of the message.
  const sheet = { sheet: flags.sheet, locale: flags.language ?? settings.locale };
  const exclusions = await readExcluded(runtime, session, flags.exclude ?? [], { ...phones, ...sheet });

  const { format, delimiter, encoding, params, fixPhones, headerRow } = flags;
  const options = {
    ...onlyGiven({ format, delimiter, encoding, params, fixPhones, headerRow }),
    ...phones,
    ...sheet,
    exclusions,
    ...(template && {
      messageLength: (given: readonly string[]) => Array.from(renderTemplate(template.text, given)).length,
    }),
  };
  const { file, reading } = await readGivenRows(runtime, { path, encoding }, output, async (opened) => {
    const { t } = texts;
    const doing = t("Reading {file}", { file: fileName(opened.name, t) });
    const bar = startProgress(system, output, doing);
    const onProgress = (rows: number): void => bar.update(rows, undefined);
    const found = await readRecipients(opened, options, { signal, onProgress }).finally(bar.clear);
    return { file: opened, reading: found };
  });
  for (const notice of reading.notices) await output.notice(noticeWords(notice, texts.t));
  template?.checkRows(reading);

  return { file, reading, exclusions };
}

async function readComing(runtime: Runtime, flag: string, text: string): Promise<number> {
  const at = await readInstant(runtime, { flag, text, coming: true });
  if (at <= runtime.system.clock.now())
    throw new BposError("usage_flag", { problem: { kind: "time_over", flag, text } });
  return at;
}

/** Reads when calls may leave, from the flags and the hours of the profile. */
async function readSchedule({ runtime, flags, session }: SendRun): Promise<Schedule> {
  const { at: text, pace, canary, canaryWait, maxFailed, inFlight = 1 } = flags;
  if (pace !== undefined && inFlight > 1) throw exclusive("--in-flight", "--pace");
  if (canary === undefined && canaryWait !== undefined) throw needsFlag("--canary-wait", "--canary");
  if (canary === undefined && maxFailed !== undefined) throw needsFlag("--max-failed", "--canary");
  const startAt = text === undefined ? undefined : await readComing(runtime, "--at", text);
  const terms = { waitMs: canaryWait ?? canaryWaitMs, maxFailed: maxFailed ?? { share: 0.1 } };
  const hours = readHours(flags, session.settings);
  return onlyGiven({ startAt, hours, pace, canary: canary && terms });
}

async function readRequest(run: SendRun, branch: string): Promise<SendRequest> {
  const { runtime, flags, session } = run;
  const { templateText: textFile } = flags;
  const ownText =
    textFile === undefined ? undefined : await readTemplateText(runtime, session.output, textFile);
  const { file, reading, exclusions } = await readFiles(run, ownText);

  const { template = null, templateId = null, language = null, onlyFailedOf } = flags;
  return {
    reading,
    excludedPeople: new Set(exclusions.keys()),
    branch,
    ref:
      flags.ref ?? (onlyFailedOf === undefined ? defaultRef(file.name, file.bytes) : retryRef(onlyFailedOf)),
    template: { name: template, id: templateId, language },
    templateText: ownText?.text,
    campaignName: flags.name,
    headerUrl: flags.headerUrl,
    headerField: flags.headerField ?? session.settings.headerField,
    perCall: flags.trackAll === true ? limits.recipientsReturned : limits.recipientsPerCampaign,
    notAfter: flags.notAfter === undefined ? null : await readComing(runtime, "--not-after", flags.notAfter),
    schedule: await readSchedule(run),
    canary: flags.canary,
    isTest: false,
    allowRepeat: flags.allowRepeat === true,
  };
}

function readTestPhone(text: string, flags: SendFlags, settings: Settings): UsablePhone {
  const flag = "--test-to";
  const country = countryCode(flags.country ?? settings.country ?? "");
  const read = readPhone(text, { column: flag, country, area: settings.areaCode });
  if (read.ok) return read;

  const problem = { kind: "not_phone", problem: read.problem } as const;
  throw new BposError("usage_flag", { problem: { kind: "value", flag, text, problem } });
}

/** Plans; if a message of the last 24 h prevents it, plans again without the people that did not get that message. */
async function planAround(
  { runtime, session }: SendRun,
  request: SendRequest,
  journal: Journal,
): Promise<Pick<Prepared, "request" | "plan">> {
  const now = machineTime({ clock: runtime.system.clock, clockAheadMs: session.clockAheadMs });
  try {
    return { request, plan: await planSend(request, journal, now) };
  } catch (error) {
    if (!isReason(error, "repeat_within_day")) throw error;

    const asked = personsOf(request.reading.recipients);
    const earlier = await earlierMessages(journal.sends, request, now, asked);
    const ids = [...new Set(earlier.flatMap(({ campaignId }) => campaignId ?? []))];
    const failed = await failedRecipients(session.client, ids, runtime.signal);
    const sparing = { ...request, failed };
    return { request: sparing, plan: await planSend(sparing, journal, now) };
  }
}

/** Says which countries have several time zones, whose recipients wait for the last of them to open; and which zone of --time-zone is unused. */
async function tellZones(
  output: Output,
  zones: ReadonlyMap<string, readonly string[]>,
  chosen: readonly string[],
): Promise<void> {
  const { t } = output.texts;
  for (const [countries, [zone = "", ...more]] of zones) {
    const strictest = t(
      "Note: {countries} has several time zones, so bpos respects the hours in all of them. To choose one, use --time-zone, for example {zone}.",
      { countries, zone },
    );
    if (more.length > 0) await output.notice(strictest);
  }

  const used = [...zones.values()].flat();
  for (const zone of chosen)
    if (!used.includes(zone))
      await output.notice(t("Note: --time-zone {zone} does not apply to any recipient's country.", { zone }));
}

/** Reads the files and plans the calls. */
export async function prepare(run: SendRun): Promise<Prepared> {
  const { runtime, flags, session } = run;
  const { dryRun = false, testTo } = flags;
  const open = await session.openJournal({ asks: !dryRun });
  const { journal, branch } = open;
  if (!dryRun) await journal.refuseOlder();

  const { sends } = journal;
  const { onlyFailedOf: failedOf } = flags;
  const everybody = await readRequest(run, branch);
  const whole =
    failedOf === undefined
      ? everybody
      : await keepOnlyFailed(runtime, session, everybody, { sends, ref: failedOf });
  const meant =
    testTo === undefined
      ? whole
      : await testRequest(whole, sends, readTestPhone(testTo, flags, session.settings));
  const templates = await mockTemplates(session);
  const templateText = meant.templateText ?? findTemplate(templates, meant.template)?.body;

  const planned = await planAround(run, { ...meant, templateText }, journal);
  const { pending, calls } = planned.plan;
  const { waiting, zones } = findWaiting([...pending, ...calls], meant, runtime.system.clock.now());
  await tellZones(session.output, zones, meant.schedule.hours?.timeZones ?? []);
  return { ...run, open, ...planned, waiting, templates };
}
