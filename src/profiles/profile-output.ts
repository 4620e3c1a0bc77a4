import { type Output, openOutput } from "../cli/display/output.ts";
import { paragraph } from "../cli/display/text.ts";
import { exclusive } from "../cli/line/flags.ts";
import type { Runtime } from "../cli/runtime.ts";

/** Opens the output of a command about profiles. Throws `usage_flag` for --mock, which has none. */
export function openProfileOutput(runtime: Runtime, ...more: "csv"[]): Output {
  if (runtime.flags.mock === true) throw exclusive("--mock", "bpos profile");
  return openOutput(runtime, ["table", "json", "ndjson", ...more]);
}

/** Says what was done: a sentence on a screen, the report elsewhere. */
export async function tell(output: Output, sentence: string, report: object): Promise<void> {
  if (output.format !== "table") await output.document(report);
  else if (!output.quiet) await output.data(`${paragraph(sentence, output.ui).join("\n")}\n`);
}
