import type { Command } from "commander";
import { en } from "../text/en.ts";
import { addExamples } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";

/** Declares `bpos openapi`. */
export function declareOpenapi(program: Command, runtime: Runtime): void {
  addExamples(
    program.command("openapi").description(en.help.openapi.description),
    en.help.openapi.examples,
  ).action(async () => {
    const { openApiDocument } = await import("../contract/openapi.ts");
    await runtime.system.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });
}
