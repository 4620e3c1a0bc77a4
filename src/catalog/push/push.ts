import { count } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { checkStandardInput } from "../../cli/files/named-files.ts";
import { needsFlag } from "../../cli/line/flags.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { changesInShort } from "../changes-view.ts";
import { openExistingJournal } from "../existing-journal.ts";
import { dryRunExitCode } from "../sending/exit-code.ts";
import { checkRejectedFile, prepareFile, pushNeeds } from "../sending/prepare.ts";
import { previewPush } from "../sending/preview.ts";
import type { PreparedPush } from "../sending/request.ts";
import { sendPush } from "../sending/send-push.ts";
import type { PushFlags } from "./command.ts";
import { planPush } from "./plan.ts";

interface PushJob {
  runtime: Runtime;
  session: Session;
  path: string;
  flags: PushFlags;
}

/** Pushes a price list: reads and plans it, then shows what would be sent (`--dry-run`), or asks (`--confirm`) and sends. */
export async function push(runtime: Runtime, path: string, flags: PushFlags): Promise<void> {
  if (flags.maxDeactivate !== undefined && flags.deactivateMissing !== true)
    throw needsFlag("--max-deactivate", "--deactivate-missing");
  checkStandardInput(runtime, path);

  await withSession(runtime, pushNeeds, async (session) => {
    await checkRejectedFile(runtime, path, flags);
    const job = { runtime, session, path, flags };
    const prepared = await prepare(job);

    if (flags.dryRun === true) {
      runtime.exitCode = dryRunExitCode(prepared.request);
      return previewPush(runtime, session, prepared);
    }
    await confirm(job, prepared);
    await sendPush(runtime, session, prepared);
  });
}

async function prepare(job: PushJob): Promise<PreparedPush> {
  const { runtime, session, path, flags } = job;
  const prepared = await prepareFile(runtime, session, {
    action: "upsert",
    path,
    flags,
    needsPrices: flags.strict === true,
    planFor: (reading, request) => planPush(session, flags, reading, request),
    prepareAgain: async () => {
      const again = await prepare(job);
      await confirm(job, again);
      return again;
    },
  });
  await refuseRejectedRows(job, prepared);
  return prepared;
}

/** For `--strict`. Throws `rows_rejected_strict`, below the report of those rows. */
async function refuseRejectedRows(
  { runtime, session, path, flags }: PushJob,
  prepared: PreparedPush,
): Promise<void> {
  const rejected = prepared.request.rejected.length;
  if (flags.strict !== true || rejected === 0 || flags.dryRun === true) return;
  runtime.exitCode = exitCodes.usage;
  await previewPush(runtime, session, prepared);
  throw new BposError("rows_rejected_strict", { file: path, rejected });
}

/** For `--confirm`: shows what would change and asks. Throws `declined`, and what a guard refuses before anybody is asked. */
async function confirm({ runtime, session, path, flags }: PushJob, { plan }: PreparedPush): Promise<void> {
  if (flags.confirm !== true) return;
  if (!mayAsk(runtime) || path === "-")
    throw new BposError("not_a_terminal", { flag: "--confirm", isWish: true });
  const { system, signal, texts } = runtime;
  const { output } = session;
  const { journal, branch } = await openExistingJournal(session);
  const requests = (await plan?.(journal, branch)) ?? [];
  const sent = requests.reduce((sum, { items }) => sum + items.length, 0);
  if (sent === 0) return;

  const compared = requests[0]?.compared;
  if (compared !== undefined) await output.block(`${changesInShort(compared, output.errorUi).join("\n")}\n`);
  const question = texts.t("Send {count, plural, one {# product} other {# products}}?", {
    count: count(sent, output.errorUi),
  });
  if (!(await system.prompts.confirm(question, signal, questionWords(texts.t))))
    throw new BposError("declined", { of: "push" });
}
