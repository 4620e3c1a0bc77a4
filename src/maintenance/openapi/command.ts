import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export const declareOpenapi = (program: AnyCommand, { texts: { t } }: Runtime) =>
  verb(program, "openapi", {
    description: t("Print the OpenAPI 3.1 description of the service"),
    examples: { "bpos openapi > openapi.json": t("for your code generator") },
  });

export async function printOpenapi(runtime: Runtime): Promise<void> {
  const { openApiDocument } = await import("../../contract/openapi.ts");
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

  // It is always JSON, whatever the format.
  if (runtime.flags.jq === undefined) return runtime.system.stdout.write(text);
  const { openOutput } = await import("../../cli/display/output.ts");
  await openOutput(runtime, ["json"]).data(text);
}
