import { type FlagsOf, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareSchema(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.schema;
  return verb(program, "schema", words, { exits: ["ok", "usage", "interrupted"], variables: [] })
    .argument("[command...]", words.command)
    .addOption(flag("--lines", words.lines));
}

export type SchemaFlags = FlagsOf<typeof declareSchema>;
