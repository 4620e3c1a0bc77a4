import type { Command } from "commander";
import { addExamples } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";

/** Declares `bpos openapi`. */
export function declareOpenapi(program: Command, runtime: Runtime): void {
  addExamples(
    program.command("openapi").description(runtime.texts.help.openapi.description),
    runtime.texts.help.openapi.examples,
    runtime.texts,
  ).action(async () => {
    const { openApiDocument } = await import("../contract/openapi.ts");
    await runtime.system.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });
}
