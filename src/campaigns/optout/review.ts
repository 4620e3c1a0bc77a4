import { mayAsk } from "../../cli/display/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import type { Doubt } from "../../journal/opt-outs.ts";
import { type Desk, withList } from "./open.ts";
import { doubtText, reviewedText } from "./view.ts";

const answers = ["optedOut", "not", "later"] as const;

/** Each answer is written down before the next question. */
async function ask(runtime: Runtime, { output, change }: Desk, doubts: readonly Doubt[]) {
  const { system, signal, texts } = runtime;
  const words = texts.optout.review;
  const counts = { optedOut: 0, not: 0, later: 0 };
  for (const [n, doubt] of doubts.entries()) {
    await output.block(doubtText(doubt, { n: n + 1, all: doubts.length }, output.errorUi));
    const choices = answers.map((answer) => words[answer]);
    const chosen = await system.prompts.choose(words.question, choices, { signal, words: texts.questions });
    const answer = answers[chosen] ?? "later";
    const at = system.clock.now();
    const { phone, text } = doubt;
    // A doubtful message keeps its phone until somebody has decided.
    if (answer === "optedOut" && phone !== null)
      await change((list) => list.add([{ phone, at, source: "reply", text }]));
    if (answer === "not") await change((list) => list.dismiss(doubt, at));
    counts[answer] += 1;
  }
  return counts;
}

/** Shows the messages that contain a word of refusal one by one; without a terminal only `--json` lists them. */
export async function review(runtime: Runtime): Promise<void> {
  await withList(runtime, ["table", "json", "ndjson"], async (desk) => {
    const { output, optOuts } = desk;
    const doubts = await optOuts.doubts();
    if (output.format !== "table") {
      const objects = doubts.map(({ phone, at, text }) => ({ phone, at: isoWithOffset(at), text }));
      if (output.format === "json") await output.document({ doubtful: objects });
      else for (const each of objects) await output.document(each);
      return;
    }
    if (doubts.length > 0 && !mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--json" });
    const counts = await ask(runtime, desk, doubts);
    if (!output.quiet) await output.data(reviewedText(counts, output.ui));
  });
}
