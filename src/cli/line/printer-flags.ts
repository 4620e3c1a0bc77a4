import { type PrinterAddress, printerAddress } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import type { Settings } from "../../settings/settings.ts";
import type { T } from "../../texts/texts.ts";
import type { Runtime } from "../runtime.ts";
import { file, flag, oneOf, type Value } from "./flags.ts";

/** Reads the address of a printer. An address that this system cannot print to has its own refusal. */
export const printerUrlOn = (platform: NodeJS.Platform): Value<PrinterAddress> => ({
  read: (text, refuse) =>
    printerAddress(text) ?? refuse({ kind: "not_printer", text, isWindows: platform === "win32" }),
});

const languages = ["escpos", "star"] as const;
const drawerTimes = oneOf("cash", "always");
const papers = { "58": 58, "80": 80 } as const;
const widths = oneOf("58", "80");
const paperWidth: Value<58 | 80> = {
  ...widths,
  read: (text, refuse) => papers[widths.read(text.replace(/ ?mm$/, ""), refuse, undefined)],
};

/** The flags of a printer, for each command that prints. */
export function printerFlags({ texts, system }: { texts: { t: T } } & Partial<Pick<Runtime, "system">>) {
  const { t } = texts;
  const url = printerUrlOn(system?.platform ?? "linux");
  return {
    url,
    printer: flag(
      "--printer <url>",
      t("receipt printer: tcp://HOST[:PORT], file:DEVICE or lp:QUEUE (default: the profile's)"),
      url,
    ),
    paper: flag("--paper <mm>", t("paper width in mm: 58 or 80 (default 80)"), paperWidth),
    language: flag(
      "--printer-language <language>",
      t("printer language: escpos, or star for StarPRNT (default escpos)"),
      oneOf(...languages),
    ),
    drawer: flag(
      "--drawer [when]",
      t("open the cash drawer: `cash` (or no value) for orders to collect in cash, `always` for every order"),
      drawerTimes,
    ),
    beep: flag("--beep", t("sound the buzzer")),
    layout: flag(
      "--layout <file>",
      t("receipt layout, a JSON file; see `bpos schema layout` (default: the profile's)"),
      file,
    ),
    stationMap: flag(
      "--station-map <file>",
      t("CSV with the columns codigo and station; overrides the catalog's categories"),
      file,
    ),
  };
}

/** When the drawer opens; true is with cash to collect. */
export type DrawerWhen = boolean | "cash" | "always";

export interface PrinterFlags {
  printer?: PrinterAddress | undefined;
  paper?: 58 | 80 | undefined;
  printerLanguage?: (typeof languages)[number] | undefined;
  drawer?: DrawerWhen | undefined;
  beep?: boolean | undefined;
  layout?: string | undefined;
}

/** Returns the path of the layout, from the flag or the profile. */
export const layoutPath = (
  { layout }: Pick<PrinterFlags, "layout">,
  { printer }: Pick<Settings, "printer">,
): string | undefined => layout ?? printer.layout;

type OwnPrinter = Pick<Settings, "profile" | "printer">;

function ownReader({ profile }: Pick<OwnPrinter, "profile">) {
  return <T>(setting: string, text: string, value: Value<T>): T =>
    value.read(
      text,
      (problem) => {
        const flag = `${setting} (profiles.${profile ?? ""})`;
        throw new BposError("usage_flag", { problem: { kind: "value", flag, text, problem } });
      },
      undefined,
    );
}

/** The paper from the flags, otherwise from the profile. Throws `usage_flag` for an invalid setting of the profile. */
export function readPaperSettings(flags: PrinterFlags, own: OwnPrinter) {
  const read = ownReader(own);
  const { paper, language, drawer, beep } = own.printer;
  return {
    paper: flags.paper ?? read("paper", String(paper), paperWidth),
    language: flags.printerLanguage ?? read("printer_language", language, oneOf(...languages)),
    drawer: flags.drawer ?? (typeof drawer === "string" ? read("drawer", drawer, drawerTimes) : drawer),
    beep: flags.beep ?? beep,
  };
}

/** The printer, as `readPaperSettings` reads the paper. Also throws `usage_flag` if neither names a printer. */
export function neededPrinter(flags: PrinterFlags, own: OwnPrinter, platform: NodeJS.Platform) {
  const { url } = own.printer;
  const address =
    flags.printer ?? (url === undefined ? undefined : ownReader(own)("printer", url, printerUrlOn(platform)));
  if (address === undefined)
    throw new BposError("usage_flag", { problem: { kind: "printer_absent", profile: own.profile ?? null } });
  return { address, ...readPaperSettings(flags, own) };
}
