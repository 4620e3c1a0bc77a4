import type { Command } from "commander";
import { describe } from "../../cli/help-text.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** Declares `bpos openapi`. */
export function declareOpenapi(program: Command, runtime: Runtime): void {
  describe(program.command("openapi"), runtime.texts.help.openapi).action(async () => {
    const { openApiDocument } = await import("../../contract/openapi.ts");
    await runtime.system.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });
}
