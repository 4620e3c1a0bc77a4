import { dateTime } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { note, paragraph } from "../../cli/display/text.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { withJournal } from "./place.ts";

async function confirm({ system, signal, texts }: Runtime, question: string): Promise<void> {
  if (!(await system.prompts.confirm(question, signal, questionWords(texts.t))))
    throw new BposError("declined", { of: "accept" });
}

/** Works on with a journal that knows less than this machine: what may have changed since counts as unknown. */
export async function acceptRestore(runtime: Runtime, { yes }: { yes?: boolean }): Promise<void> {
  await withJournal(runtime, ["table", "json"], async ({ output, journal, shown }) => {
    const { ui, texts, quiet } = output;
    const words = texts.journal.accept;
    const { isOlder = false, sends = [] } = (await journal?.lost()) ?? {};

    if (isOlder) {
      if (yes !== true && !mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
      const lost = sends.map(({ ref, template, at }) => words.send(ref, template, dateTime(at, ui)));
      const means = [words.older(shown), ...lost, words.means];
      const lines = means.flatMap((each) => paragraph(each, output.errorUi));
      await output.block(`${lines.join("\n")}\n`);
      if (yes !== true) await confirm(runtime, words.ask);
      await journal?.acceptOlder(runtime.system.clock.now());
    }

    if (output.format === "json") {
      const lost = sends.map((send) => ({ ...send, at: isoWithOffset(send.at) }));
      await output.document({ journal: shown, accepted: isOlder, sends: lost });
    } else if (!quiet) {
      const { accept } = ui.texts.journal;
      const said = isOlder ? accept.done : accept.nothing(shown);
      await output.data(`${note(said, ui).join("\n")}\n`);
    }
  });
}
