import { mayAsk } from "../../cli/display/output.ts";
import { checkOutputFile, checkStandardInput } from "../../cli/files/named-files.ts";
import { flag, fromJournal } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import type { SendFlags } from "./command.ts";
import { readHeaderUrl } from "./header.ts";
import { prepare } from "./prepare.ts";
import { preview } from "./preview.ts";
import { sendConfirmed } from "./send-confirmed.ts";

export async function send(runtime: Runtime, path: string, given: SendFlags): Promise<void> {
  const flags = await askForTemplate(runtime, given);
  const { exclude = [], templateText } = flags;
  const inputs = [path, ...exclude, ...(templateText === undefined ? [] : [templateText])];
  await checkFlags(runtime, flags, inputs);

  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const prepared = await prepare({ runtime, path, flags, inputs, session });
    const confirmed = await preview(prepared);
    if (confirmed !== undefined) await sendConfirmed(confirmed);
  });
}

/** A person who named no template chooses one of those sent before, or types its name. */
async function askForTemplate(runtime: Runtime, flags: SendFlags): Promise<SendFlags> {
  if (flags.template !== undefined || flags.templateId !== undefined || !mayAsk(runtime)) return flags;
  const { askValue, valuesKnown } = await import("../../cli/line/ask.ts");
  const values = await valuesKnown(runtime, flag("--template <name>", "", fromJournal("template")));
  return { ...flags, template: await askValue(runtime, runtime.texts.t("Template:"), { values }) };
}

async function checkFlags(runtime: Runtime, flags: SendFlags, inputs: readonly string[]): Promise<void> {
  const { headerUrl, errors } = flags;
  if ((flags.template === undefined) === (flags.templateId === undefined))
    throw new BposError("usage_flag", { problem: { kind: "template_choice" } });
  if (headerUrl !== undefined) readHeaderUrl(headerUrl);

  for (const input of inputs) checkStandardInput(runtime, input);
  if (inputs.filter((input) => input === "-").length > 1)
    throw new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "files" } });

  if (errors === undefined) return;
  const wanted = { flag: "--errors", file: errors, input: undefined, isRejected: true } as const;
  if (errors === "-")
    throw new BposError("usage_flag", { problem: { kind: "file_not_csv", flag: wanted.flag } });
  await checkOutputFile(runtime.system, wanted);
}
