import { dateTime } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { note, paragraph } from "../../cli/display/text.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import type { T } from "../../texts/texts.ts";
import { withJournal } from "../open-journal.ts";
import type { AcceptReport } from "./report.ts";

/** Accepts a journal that has less than this machine recorded: anything that could have changed since then counts as unknown. */
export async function acceptRestore(runtime: Runtime, { yes }: { yes?: boolean }): Promise<void> {
  await withJournal(runtime, ["table", "json"], async ({ output, journal, shown }) => {
    const { ui, texts, quiet } = output;
    const { t } = texts;
    const { isOlder = false, sends = [] } = (await journal?.lost()) ?? {};

    if (isOlder) {
      if (yes !== true && !mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
      const older = t(
        "Journal {place} is older than what this machine recorded in it: it was restored from a backup, or its server failed over to a lagging replica.",
        { place: shown },
      );
      const lost = sends.map(({ ref, template, at }) =>
        t('Part of the send "{ref}" is missing (template {template}, {time}).', {
          ref,
          template,
          time: dateTime(at, ui),
        }),
      );
      const means = [older, ...lost, whatItMeans(t)];
      const lines = means.flatMap((each) => paragraph(each, output.errorUi));
      await output.block(`${lines.join("\n")}\n`);
      if (yes !== true) await confirm(runtime, t("Continue with this journal?"));
      await journal?.acceptOlder(runtime.system.clock.now());
    }

    if (output.format === "json") {
      const lost = sends.map((send) => ({ ...send, at: isoWithOffset(send.at) }));
      const report: AcceptReport = { journal: shown, accepted: isOlder, sends: lost };
      await output.document(report);
    } else if (!quiet) {
      const said = isOlder
        ? ui.texts.t(
            "Accepted. campaign send, campaign resume and catalog push work with this journal again.",
          )
        : ui.texts.t(
            "Nothing to accept: journal {place} contains everything that this machine did with it.",
            {
              place: shown,
            },
          );
      await output.data(`${note(said, ui).join("\n")}\n`);
    }
  });
}

async function confirm({ system, signal, texts }: Runtime, question: string): Promise<void> {
  if (!(await system.prompts.confirm(question, signal, questionWords(texts.t))))
    throw new BposError("declined", { of: "accept" });
}

/** Says what the journal is missing, and what to do. */
const whatItMeans = (t: T): string =>
  t(
    "If you accept it, bpos cannot know who received those messages, and recipients might be messaged again. To prevent this, do not send those files again, or exclude them with --exclude. Orders created until now that the journal does not know are delivered again, marked as repeated. The next push with --changed-only sends every row. Run this command on every other machine that worked with this journal. On machines that received opt-outs, run it before anything is sent: each machine restores the lost opt-outs that it has seen.",
  );
