import { count } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import { changesInShort } from "../changes-view.ts";
import { type PushWork, readJournal } from "../sending/push-locked.ts";

/** Of `--confirm`: shows what would change and asks. Throws `declined`, and what a guard refuses before anybody is asked. */
export async function confirmPush(runtime: Runtime, session: Session, work: PushWork): Promise<void> {
  if (work.flags.confirm !== true) return;
  if (!mayAsk(runtime) || work.request.file === "-")
    throw new BposError("not_a_terminal", { flag: "--confirm", isWish: true });
  const { system, signal, texts } = runtime;
  const { output } = session;
  const { journal, branch } = await readJournal(session);
  const requests = (await work.requestsFor?.(journal, branch)) ?? [];
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
