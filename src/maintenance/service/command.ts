import { argument, oneOf } from "../../cli/line/flags.ts";
import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

const kinds = ["systemd", "launchd", "task"] as const;
export type ServiceKind = (typeof kinds)[number];

export function declareServicePrint(service: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.service.print;
  return verb(service, "print", words, { exits: ["ok", "usage", "interrupted"], variables: [] })
    .addArgument(argument("<kind>", words.kind, oneOf(...kinds), "bpos service print"))
    .argument("[command...]", words.command);
}
