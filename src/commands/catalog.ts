import type { Command } from "commander";
import { declareCheck } from "./catalog-check.ts";
import { declareDelete } from "./catalog-delete.ts";
import { declareHistory } from "./catalog-history.ts";
import { declarePush } from "./catalog-push.ts";
import { addExamples } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";

/** Declares `bpos catalog …`. */
export function declareCatalog(program: Command, runtime: Runtime): void {
  const words = runtime.texts.help.catalog;
  const catalog = addExamples(
    program.command("catalog").description(words.description),
    words.examples,
    runtime.texts,
  );
  declareCheck(catalog, runtime);
  declarePush(catalog, runtime);
  declareDelete(catalog, runtime);
  declareHistory(catalog, runtime);
}
