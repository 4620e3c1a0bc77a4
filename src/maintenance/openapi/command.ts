import { type AnyCommand, verb } from "../../cli/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareOpenapi(program: AnyCommand, runtime: Runtime): void {
  verb(program, "openapi", runtime.texts.help.openapi).action(async () => {
    const { openApiDocument } = await import("../../contract/openapi.ts");
    await runtime.system.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });
}
