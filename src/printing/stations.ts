import { type PrinterAddress, printerAddress } from "../contract/addresses.ts";
import { type StationFault, similarTo } from "../errors/problems.ts";
import { BposError } from "../errors.ts";

/** A place in the kitchen with its own printer. */
export interface Station {
  name: string;
  printer: PrinterAddress;
  /** Its categories as the catalog writes them; compared without accents and case. */
  categories: readonly string[];
  /** It prints every line of every order. */
  everything: boolean;
  copies: number;
}

/** A station as the profile holds it. */
interface KeptStation {
  name: string;
  printer: string;
  categories?: readonly string[];
  everything?: boolean;
  copies?: number;
}

/** By product code, the stations of a `--station-map`. */
export type StationMap = ReadonlyMap<string, readonly string[]>;

const stationName = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,31}$/u;
const maxCopies = 9;
const keys: readonly string[] = ["name", "printer", "categories", "everything", "copies"];

/** A category, or a name, as it is compared. */
export const foldName = (name: string): string =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/gu, " ").trim();

const isCategory = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

function findFault(
  kept: Record<string, unknown>,
  taken: ReadonlySet<string>,
): [StationFault, unknown?] | undefined {
  const { name, printer, categories = [], everything = false, copies = 1 } = kept;
  const unknown = Object.keys(kept).find((key) => !keys.includes(key));
  if (typeof name !== "string" || !stationName.test(name)) return ["name"];
  if (taken.has(foldName(name))) return ["name_twice"];
  if (unknown !== undefined) return ["key", unknown];
  if (typeof printer !== "string") return ["printer_absent"];
  if (printerAddress(printer) === undefined) return ["printer", printer];
  if (!Array.isArray(categories) || !categories.every(isCategory)) return ["categories"];
  if (typeof everything !== "boolean") return ["everything"];
  if (categories.length === 0 && !everything) return ["nothing"];
  if (!Number.isInteger(copies) || Number(copies) < 1 || Number(copies) > maxCopies) return ["copies"];
  return undefined;
}

const toShown = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** The stations of a profile; none where it has none. Throws `usage_flag`, which names the entry. */
export function toStations(kept: unknown, profile = ""): Station[] {
  const setting = `profiles.${profile}.stations`;
  const refused = (place: string, fault: StationFault, text: unknown = ""): BposError =>
    new BposError("usage_flag", { problem: { kind: "station", place, fault, text: toShown(text) } });
  if (kept === undefined || kept === null) return [];
  if (!Array.isArray(kept)) throw refused(setting, "not_list");

  const taken = new Set<string>();
  return kept.map((entry: unknown, n): Station => {
    const place = `${setting}[${n}]`;
    if (typeof entry !== "object" || entry === null || Array.isArray(entry))
      throw refused(place, "not_object");
    const found = findFault(entry as Record<string, unknown>, taken);
    const { name, printer, categories = [], everything = false, copies = 1 } = entry as KeptStation;
    const shownName = typeof name === "string" ? ` (${name})` : "";
    if (found !== undefined) throw refused(`${place}${shownName}`, ...found);
    taken.add(foldName(name));
    const address = printerAddress(printer) as PrinterAddress;
    return { name, printer: address, categories, everything, copies };
  });
}

/** Throws for a name that no station has: `station_not_found` where it was asked for, `usage_flag` where a file has it. */
export function checkStation(
  stations: readonly Pick<Station, "name">[],
  name: string,
  place: { file: string; line: number } | { profile: string },
): void {
  const known = stations.map((station) => station.name);
  if (known.includes(name)) return;
  const facts = { name, similar: similarTo(name, known), known };
  if ("profile" in place) throw new BposError("station_not_found", { ...place, ...facts });
  throw new BposError("usage_flag", { problem: { kind: "station_unknown", ...place, ...facts } });
}

/** Returns the stations that print a product; all of them with `isEverywhere` if none has it, since every line must be printed. */
export function routeProduct(
  stations: readonly Station[],
  { codigo, categoria }: Record<"codigo" | "categoria", string | null | undefined>,
  map?: StationMap,
): { names: string[]; isEverywhere: boolean } {
  // Rows of other branches do not apply here: the catalog decides.
  const named = typeof codigo === "string" ? (map?.get(codigo) ?? []) : [];
  const isMapped = stations.some(({ name }) => named.includes(name));
  const category = foldName(categoria ?? "");
  const isOwn = ({ name, categories }: Station): boolean =>
    isMapped
      ? named.includes(name)
      : category !== "" && categories.some((each) => foldName(each) === category);

  const hasOwn = stations.some(isOwn);
  const isEverywhere = !hasOwn && !stations.every(({ everything }) => everything);
  const printing = stations.filter((station) => !hasOwn || station.everything || isOwn(station));
  return { names: printing.map(({ name }) => name), isEverywhere };
}
