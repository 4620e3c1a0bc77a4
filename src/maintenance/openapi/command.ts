import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export const declareOpenapi = (program: AnyCommand, runtime: Runtime) =>
  verb(program, "openapi", runtime.texts.help.openapi);

export async function printOpenapi(runtime: Runtime): Promise<void> {
  const { openApiDocument } = await import("../../contract/openapi.ts");
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

  // It is JSON whatever the format.
  if (runtime.flags.jq === undefined) return runtime.system.stdout.write(text);
  const { openOutput } = await import("../../cli/display/output.ts");
  await openOutput(runtime, ["json"]).data(text);
}
