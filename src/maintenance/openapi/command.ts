import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareOpenapi(program: AnyCommand, runtime: Runtime): void {
  verb(program, "openapi", runtime.texts.help.openapi).action(async () => {
    const { openApiDocument } = await import("../../contract/openapi.ts");
    const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
    const { openOutput } = await import("../../cli/display/output.ts");
    // It is JSON whatever the format.
    if (runtime.flags.jq === undefined) await runtime.system.stdout.write(text);
    else await openOutput(runtime, ["json"]).data(text);
  });
}
