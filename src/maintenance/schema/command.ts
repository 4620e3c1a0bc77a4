import { type FlagsOf, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareSchema(program: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Print the JSON Schema of a command's output"),
    examples: {
      "bpos schema orders list": t("JSON Schema, draft 2020-12, of `bpos orders list --json`"),
      "bpos schema orders watch": t("the events of -o ndjson"),
      "bpos schema error": t("an error with --json"),
    },
  };

  return verb(program, "schema", words, { exits: ["ok", "usage", "interrupted"], variables: [] })
    .argument("[command...]", t("a command, or error, log or version (default: list all)"))
    .addOption(flag("--lines", t("schema of one line of -o ndjson")));
}

export type SchemaFlags = FlagsOf<typeof declareSchema>;
