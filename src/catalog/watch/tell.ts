import { errorJson } from "../../cli/display/error-text.ts";
import { age, count, dateTime, visible, wholeSeconds } from "../../cli/display/format.ts";
import { toJson } from "../../cli/display/json.ts";
import type { LogFacts } from "../../cli/display/log.ts";
import { describeError, type Output } from "../../cli/display/output.ts";
import type { Listeners } from "../../cli/health/listeners.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { envWord, execOutput, wasCut } from "../../delivery/outputs.ts";
import { type BposError, type ErrorReason, exitCodes } from "../../errors.ts";
import { unreadable } from "../../input/file.ts";
import type { WatchFlags } from "./command.ts";
import type { Look } from "./lists.ts";
import type { ListOutcome, Pushed } from "./push-list.ts";

const defaultExecMs = 30_000;

type ListEvent = { event: "catalog.pushed" | "catalog.refused"; at: string; branch: string; file: string };

interface Telling {
  runtime: Runtime;
  output: Output;
  branch: string;
  flags: WatchFlags;
  listeners: Listeners;
  /** Later than that of the command: what was pushed when it was stopped is told to the end. */
  signal: AbortSignal;
}

function toReason({ reason, facts }: BposError): { reason: ErrorReason; status?: number } {
  return "status" in facts ? { reason, status: facts.status } : { reason };
}

const isWell = ({ outcome, rejected, deactivated }: Pushed): boolean =>
  [...rejected].length === 0 && [outcome, deactivated?.outcome].every((each) => each !== "stale");

/** Tells people and programs what came of each list, and how the watch fares. */
export class Teller {
  readonly #telling: Telling;
  #isNotifySaid = false;

  constructor(telling: Telling) {
    this.#telling = telling;
  }

  /** A line for people, or an event for programs; a full disk must not end the watch. */
  async #print(text: string | undefined, event: object): Promise<void> {
    const { output } = this.#telling;
    try {
      if (output.format === "ndjson") await output.document(event);
      else if (text !== undefined) await output.delivery(`${text}\n`);
    } catch (error) {
      // Of a reader that is gone.
      if ((error as NodeJS.ErrnoException).syscall !== "write") throw error;
      await output.warning(output.texts.lists.unprinted((error as Error).message), {
        event: "stdout.failed",
      });
    }
  }

  async outcome(file: string, outcome: ListOutcome): Promise<void> {
    const { runtime, output, branch, listeners } = this.#telling;
    const { unwritten } = outcome;
    const at = isoWithOffset(runtime.system.clock.now());
    if ("push" in outcome) await this.#pushed({ event: "catalog.pushed", at, branch, file }, outcome.push);
    else await this.#refused({ event: "catalog.refused", at, branch, file }, outcome);
    listeners.metrics?.listed(branch, "push" in outcome ? outcome.push.outcome : "refused");
    if (unwritten !== undefined)
      await this.#alarm(file, await describeError(unwritten, output.texts), { event: "report.failed" });
  }

  async #pushed(about: ListEvent, push: Pushed): Promise<void> {
    const { output, runtime } = this.#telling;
    const { file } = about;
    const words = output.texts.lists;
    const { ui } = output;
    const counts = {
      accepted: count(push.accepted, ui),
      unchanged: count(push.unchanged, ui),
      rejected: count([...push.rejected].length, ui),
      deactivated: count(push.deactivated?.accepted ?? 0, ui),
    };
    const line = `${dateTime(runtime.system.clock.now(), ui)}  ${ui.texts.lists.pushed(visible(file), counts)}`;
    const well = isWell(push);
    await this.#print(output.quiet && well ? undefined : line, { ...about, push });
    if (!well) {
      const stale = push.outcome === "stale" || push.deactivated?.outcome === "stale";
      const text = stale ? words.stale(file) : words.rejectedRows(file, counts.rejected, push.rejected_file);
      await this.#alarm(file, text, { event: "catalog.rejected", rejected_file: push.rejected_file });
    }
    await this.#exec(about, { ...about, push }, push.outcome);
  }

  async #refused(
    about: ListEvent,
    { refused, file: refused_file }: { refused: BposError; file: string | null },
  ): Promise<void> {
    const { output } = this.#telling;
    const { reason } = refused;
    // As in all JSON, in English.
    const { message } = errorJson(refused).error;
    const why = await describeError(refused, output.texts);
    const event = { ...about, reason, message, refused_file };
    await this.#print(undefined, event);
    const text = output.texts.lists.refused(about.file, why, refused_file);
    await this.#alarm(about.file, text, { event: "catalog.refused", reason, refused_file });
    await this.#exec(about, event, reason);
  }

  /** What somebody has to look at. */
  async #alarm(file: string, text: string, facts: LogFacts): Promise<void> {
    const { runtime, output, branch, flags, signal } = this.#telling;
    if (flags.once === true) runtime.exitCode = exitCodes.partial;
    await output.warning(text, { branch, file, ...facts });
    runtime.onEvent?.({ event: "refused", branch: envWord(branch), file });
    if (flags.notify !== true) return;
    const note = { title: output.texts.lists.note(file), body: text };
    const { state, program, detail } = await runtime.system.notify(note, signal);
    if (state === "shown" || this.#isNotifySaid) return;
    this.#isNotifySaid = true;
    const { notifyAbsent, notifyFailed } = output.texts.watch;
    const said = state === "absent" ? notifyAbsent(program) : notifyFailed(program, detail);
    await output.warning(said, { event: "notify.failed", program });
  }

  /** Not again where it fails: the list is pushed. */
  async #exec({ event, branch, file }: ListEvent, input: object, outcome: string): Promise<void> {
    const { runtime, output, flags, signal } = this.#telling;
    if (flags.exec === undefined) return;
    const { run } = runtime.system;
    const env = { BPOS_EVENT: event, BPOS_BRANCH: envWord(branch), BPOS_FILE: file, BPOS_OUTCOME: outcome };
    const exec = execOutput(
      { command: flags.exec, outputNumber: 1, timeoutMs: flags.execTimeout ?? defaultExecMs, run },
      () => ({ input: `${toJson(input)}\n`, env }),
      { of: (failure) => failure, mayHave: wasCut },
    );
    const failure = await exec.deliver(undefined, signal);
    if (failure === undefined || typeof failure === "string") return;
    if (flags.once === true) runtime.exitCode = exitCodes.partial;
    const text = output.texts.lists.execFailed(failure, file, failure.detail.split("\n").at(-1) ?? "");
    await output.warning(text, { event: "output.failed", output: "exec", branch, file });
  }

  /** A list that cannot be pushed for now. */
  async held({ path: file, error }: Look["held"][number]): Promise<void> {
    const { runtime, output, branch, flags } = this.#telling;
    const words = output.texts.lists;
    if (flags.once === true) runtime.exitCode = exitCodes.partial;
    const facts = { branch, file };
    if (error === undefined) await output.notice(words.open(file), { event: "catalog.open", ...facts });
    else
      await output.warning(words.unreadable(await describeError(unreadable(file, error), output.texts)), {
        event: "catalog.unreadable",
        ...facts,
      });
  }

  async outage(error: BposError, since: number): Promise<void> {
    const { runtime, output, branch } = this.#telling;
    const event = { event: "watch.outage", branch, since: isoWithOffset(since), ...toReason(error) };
    await this.#print(undefined, { ...event, at: isoWithOffset(runtime.system.clock.now()) });
    await output.warning(output.texts.lists.outage(await describeError(error, output.texts)), event);
  }

  async recovered(sinceMs: number): Promise<void> {
    const { runtime, output, branch } = this.#telling;
    const event = { event: "watch.recovered", branch, after_s: wholeSeconds(sinceMs) };
    await this.#print(undefined, { ...event, at: isoWithOffset(runtime.system.clock.now()) });
    await output.warning(output.texts.lists.recovered(age(sinceMs)), event);
  }

  async stopped(error: BposError): Promise<void> {
    const { runtime, branch } = this.#telling;
    runtime.ending = { event: "stopped", branch: envWord(branch) };
    const at = isoWithOffset(runtime.system.clock.now());
    await this.#print(undefined, { event: "watch.stopped", at, branch, ...toReason(error) });
  }
}
