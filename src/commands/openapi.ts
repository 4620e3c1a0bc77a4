import type { Command } from "commander";
import { describe } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";

/** Declares `bpos openapi`. */
export function declareOpenapi(program: Command, runtime: Runtime): void {
  describe(program.command("openapi"), runtime.texts.help.openapi).action(async () => {
    const { openApiDocument } = await import("../contract/openapi.ts");
    await runtime.system.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });
}
