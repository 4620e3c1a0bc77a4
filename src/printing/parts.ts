import { toNumber } from "../api/json.ts";
import { asCame } from "../cli/display/order-facts.ts";
import { type Fields, fields, list, present } from "../cli/display/values.ts";
import type { Station } from "./stations.ts";

/** A number of pieces of a product with its options. */
export interface Piece {
  codigo: string | null;
  name: string;
  options: string[];
  pieces: number;
}

/** The part of an event that one station prints, as the journal keeps it. */
export interface Part {
  station: string;
  /** The places of its lines in the order. */
  lines: number[];
  /** The pieces that an edit added and removed at this station; absent if only other fields were edited. */
  added?: Piece[];
  removed?: Piece[];
  /** The part that it has already printed, if it took over more from a removed station. */
  printed?: Part;
  /** Whether its station was removed while this was perhaps on its paper: others print it, and this station, if it returns, as a reprint. */
  isDoubtful?: true;
}

/** A line of an order, with the stations that print it. */
export interface RoutedLine extends Piece {
  stations: string[];
}

/** The fields that only matter to whoever collects. */
const moneyFields: readonly string[] = ["total", "pago", "costo_envio"];
const maxName = 200;

const toText = (value: unknown): string => (present(value) ? asCame(value).slice(0, maxName) : "");

export function readLines(order: unknown): Piece[] {
  return list(fields(order)["lineas"]).map((line: Fields) => {
    const codigo = toText(line["codigo"]) || null;
    const options = list(line["opciones"]).map((each) => toText(each["nombre"]) || toText(each["codigo"]));
    const name = toText(line["nombre"]) || (codigo ?? "");
    return { codigo, name, options, pieces: toNumber(line["cantidad"]) ?? 1 };
  });
}

/** Returns the key by which lines are compared: without the price, which a kitchen does not need. */
export const toKey = ({ codigo, name, options }: Piece): string =>
  JSON.stringify([codigo, name, options.toSorted()]);

function sumUp(lines: readonly RoutedLine[]): Map<string, RoutedLine> {
  const sums = new Map<string, RoutedLine>();
  for (const line of lines) {
    const pieces = (sums.get(toKey(line))?.pieces ?? 0) + line.pieces;
    sums.set(toKey(line), { ...line, pieces });
  }
  return sums;
}

/** Sums of fractions are not exact. */
const toPiece = ({ codigo, name, options }: Piece, pieces: number): Piece => ({
  codigo,
  name,
  options,
  pieces: Math.round(pieces * 1e6) / 1e6,
});

const toPieces = (pieces: readonly Piece[]): Piece[] => [
  ...new Map(pieces.map((piece) => [toKey(piece), piece])).values(),
];

export function joinParts([first, ...more]: readonly [Part, ...Part[]]): Part {
  const all = [first, ...more];
  const lines = [...new Set(all.flatMap((part) => part.lines))].sort((a, b) => a - b);
  if (all.every(({ added }) => added === undefined)) return { ...first, lines };
  const added = toPieces(all.flatMap((part) => part.added ?? []));
  const removed = toPieces(all.flatMap((part) => part.removed ?? []));
  return { ...first, lines, added, removed };
}

/** Joins what a station has printed of an event with what it is to print. */
export const withPrinted = ({ printed, ...part }: Part): Part =>
  printed === undefined ? part : joinParts([printed, part]);

/** The part that a station has printed for certain, with what it is to print. */
export const certainPart = (part: Part): Part | undefined =>
  part.isDoubtful === true ? part.printed : withPrinted(part);

/** The places of the lines that a station prints. */
const linesOf = (station: string, lines: readonly RoutedLine[]): number[] =>
  lines.flatMap((line, n) => (line.stations.includes(station) ? n : []));

/** Returns each station with its lines; an order without lines goes to all of them. */
export function splitOrder(stations: readonly Station[], lines: readonly RoutedLine[]): Part[] {
  return stations.flatMap(({ name }): Part[] => {
    const own = linesOf(name, lines);
    return own.length > 0 || lines.length === 0 ? [{ station: name, lines: own }] : [];
  });
}

/** A cancelled or rejected order concerns the stations that had a part of it; an edit, those that have to act on it. */
export function splitChange(
  stations: readonly Station[],
  change: {
    known: readonly RoutedLine[] | undefined;
    lines: readonly RoutedLine[];
    isOff: boolean;
    edited: readonly string[];
  },
): Part[] {
  const { known, lines, isOff, edited } = change;
  const had = (known ?? []).flatMap((line) => line.stations);
  const [before, now] = [sumUp(known ?? []), sumUp(lines)];
  const isOfAll = edited.some((field) => field !== "lineas" && !moneyFields.includes(field));

  return stations.flatMap(({ name, everything }): Part[] => {
    const own = linesOf(name, lines);
    const part: Part = { station: name, lines: own };
    // An order without lines goes to all of them.
    const isConcerned = had.length === 0 || had.includes(name) || own.length > 0;
    if (isOff || known === undefined) return isConcerned ? [part] : [];

    const pieces = (one: typeof now, other: typeof now): Piece[] =>
      [...one].flatMap(([key, line]) => {
        const more = toPiece(line, line.pieces - (other.get(key)?.pieces ?? 0));
        return more.pieces > 0 && line.stations.includes(name) ? [more] : [];
      });
    const [added, removed] = [pieces(now, before), pieces(before, now)];
    if (added.length + removed.length > 0) return [{ ...part, added, removed }];
    const collects = everything || !stations.some((each) => each.everything);
    const isMoney = collects && edited.some((field) => moneyFields.includes(field));
    return isConcerned && (isOfAll || isMoney) ? [part] : [];
  });
}

/** The part of a removed station, and the other stations' parts of the same event. */
interface Reassigned {
  own: Part;
  others: readonly Part[];
  lines: readonly RoutedLine[];
}

/** Splits the part of a new order: its lines that no station prints yet, except one that prints everything. */
export function reassignOrder(stations: readonly Station[], { own, others, lines }: Reassigned): Part[] {
  if (own.lines.length === 0 && others.length === 0)
    return stations.map(({ name }) => ({ ...own, station: name }));

  const whole = stations.filter(({ everything }) => everything).map(({ name }) => name);
  const covered = others.flatMap((each) => (whole.includes(each.station) ? [] : each.lines));
  return stations.flatMap(({ name: station }): Part[] => {
    const has = others.find((each) => each.station === station)?.lines ?? [];
    const more = own.lines.filter(
      (n) => !covered.includes(n) && !has.includes(n) && lines[n]?.stations.includes(station) === true,
    );
    return more.length > 0 ? [{ station, lines: more }] : [];
  });
}

/** Splits the part of a change: every station gets the items that it lacks. */
export function reassignChange(stations: readonly Station[], { own, others, lines }: Reassigned): Part[] {
  return stations.flatMap(({ name: station, everything }): Part[] => {
    const has = others.find((each) => each.station === station);
    if (has !== undefined && everything) return [];
    const kept = has?.lines ?? linesOf(station, lines);
    const part: Part = { station, lines: [...new Set([...kept, ...own.lines])].sort((a, b) => a - b) };
    if (own.added === undefined)
      return has !== undefined && part.lines.length === has.lines.length ? [] : [part];

    const missing = (pieces: readonly Piece[] = [], held: readonly Piece[] = []): Piece[] =>
      pieces.filter((piece) => !held.some((each) => toKey(each) === toKey(piece)));
    const [added, removed] = [missing(own.added, has?.added), missing(own.removed, has?.removed)];
    return added.length + removed.length > 0 ? [{ ...part, added, removed }] : [];
  });
}
