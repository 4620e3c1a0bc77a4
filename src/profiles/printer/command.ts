import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

const fields = ["printer", "port", "driver", "state", "default", "profiles"] as const;

export const declarePrinterList = (printer: AnyCommand, { texts }: Runtime) =>
  verb(printer, "list", texts.help.printer.list, {
    exits: exits.file,
    variables: ["BPOS_HOME"],
    fields,
  }).alias("ls");

export const declarePrinterSetup = (printer: AnyCommand, { texts }: Runtime) =>
  verb(printer, "setup", texts.help.printer.setup, {
    exits: exits.file,
    variables: ["BPOS_PROFILE", "BPOS_HOME"],
  });
