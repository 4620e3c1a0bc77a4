import { parseJson, toNumber } from "../../api/json.ts";
import { type Fields, fields, list, present } from "../../cli/display/fields.ts";
import { isOffState } from "../../contract/limits.ts";
import type { Journal, Transaction } from "../../journal/journal.ts";
import type { Stray } from "../../journal/records/order-parts.ts";
import { routeProduct, type Station, type StationMap } from "../../settings/stations.ts";
import { asCame } from "../show/view.ts";

/** So many pieces of a product with its options. */
interface Piece {
  codigo: string | null;
  name: string;
  options: string[];
  pieces: number;
}

/** What one station prints of an event, as the journal keeps it. */
export interface Part {
  station: string;
  /** The places of its lines in the order. */
  lines: number[];
  /** What an edit brought and took away at this station; absent where only other fields were edited. */
  added?: Piece[];
  removed?: Piece[];
  /** What it has printed of the event already, where it got more from a station that is gone. */
  printed?: Part;
}

/** A line of an order, with the stations that print it. */
interface RoutedLine extends Piece {
  stations: string[];
}

/** The fields that only whoever collects needs. */
const moneyFields: readonly string[] = ["total", "pago", "costo_envio"];
const maxName = 200;

const toText = (value: unknown): string => (present(value) ? asCame(value).slice(0, maxName) : "");

function readLines(order: unknown): Piece[] {
  return list(fields(order)["lineas"]).map((line: Fields) => {
    const codigo = toText(line["codigo"]) || null;
    const options = list(line["opciones"]).map((each) => toText(each["nombre"]) || toText(each["codigo"]));
    const name = toText(line["nombre"]) || (codigo ?? "");
    return { codigo, name, options, pieces: toNumber(line["cantidad"]) ?? 1 };
  });
}

/** What tells a line from another; its price is of no account in a kitchen. */
const toKey = ({ codigo, name, options }: Piece): string =>
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

/** The output of a station, under which the journal keeps what it has not printed. */
export const toOutput = (station: string): `printer:${string}` => `printer:${station}`;

type Given = { parts: readonly Part[]; known: readonly RoutedLine[] | undefined };
type Event = { output: string; body: string; from: string | null; edited: readonly string[] };

/** Which station prints what of an order: recorded before the first of them prints, so that each line is printed whatever changes meanwhile. */
export class StationRouter {
  readonly stations: readonly Station[];
  readonly outputs: readonly string[];
  readonly #map: StationMap | undefined;
  readonly #branchId: () => string;

  constructor(
    stations: readonly Station[],
    { map, branchId }: { map?: StationMap | undefined; branchId: () => string },
  ) {
    this.stations = stations;
    this.outputs = stations.map(({ name }) => toOutput(name));
    this.#map = map;
    this.#branchId = branchId;
  }

  /** The parts of an event, in the sequence of the stations. */
  async parts(tx: Transaction, event: number, { output, body, from, edited }: Event): Promise<Part[]> {
    const recorded = await tx.orderParts.of(event);
    if (recorded.parts !== null) return JSON.parse(recorded.parts) as Part[];

    const order = parseJson(body);
    const known = from === null ? undefined : await this.#known(tx, recorded.lines);
    const lines = await this.#route(tx, readLines(order), known);
    const isOff = isOffState(fields(order)["status"]);
    const parts = from === null ? this.#split(lines) : this.#splitChange({ known, lines, isOff, edited });
    const busy: readonly string[] = parts.map(({ station }) => toOutput(station));
    const text = await tx.orderParts.record(event, {
      output,
      parts: JSON.stringify(parts),
      lines: JSON.stringify(lines),
      idle: this.outputs.filter((each) => !busy.includes(each)),
    });
    return JSON.parse(text) as Part[];
  }

  /** Which station prints what of an order now; nothing is recorded. */
  async plan(journal: Pick<Transaction, "catalog">, order: unknown): Promise<Part[]> {
    return this.#split(await this.#route(journal, readLines(order)));
  }

  /** By the catalog as the journal knows it now; what was routed before stays where it is. */
  async #route(
    { catalog }: Pick<Transaction, "catalog">,
    lines: readonly Piece[],
    known: readonly RoutedLine[] = [],
  ): Promise<RoutedLine[]> {
    const before = new Map(known.map((line) => [toKey(line), line.stations]));
    const codes = lines.flatMap(({ codigo }) => codigo ?? []);
    const products = await catalog.get(this.#branchId(), codes);
    return lines.map((line) => {
      const { codigo } = line;
      const categoria = products.get(codigo ?? "")?.item.categoria;
      const kept = before.get(toKey(line));
      const routed = () => routeProduct(this.stations, { codigo, categoria }, this.#map).names;
      return { ...line, stations: kept ?? routed() };
    });
  }

  /** The lines of an order as it was. Where a station is gone, those that print such a line now stand for it: it may only have another name. */
  async #known(tx: Pick<Transaction, "catalog">, recorded: string | null): Promise<RoutedLine[] | undefined> {
    if (recorded === null) return undefined;
    const known = JSON.parse(recorded) as RoutedLine[];
    const routed = await this.#route(tx, known);
    return known.map((line, n) => {
      const isGone = line.stations.some((name) => !this.outputs.includes(toOutput(name)));
      const names = isGone ? [...line.stations, ...(routed[n]?.stations ?? [])] : line.stations;
      const stations = this.stations.map(({ name }) => name).filter((name) => names.includes(name));
      return { ...line, stations };
    });
  }

  #split(lines: readonly RoutedLine[]): Part[] {
    return this.stations.flatMap(({ name }): Part[] => {
      const own = lines.flatMap(({ stations }, n) => (stations.includes(name) ? n : []));
      return own.length > 0 || lines.length === 0 ? [{ station: name, lines: own }] : [];
    });
  }

  /** An order that is off concerns whoever had a part of it, an edit whoever has something to do for it. */
  #splitChange(change: {
    known: readonly RoutedLine[] | undefined;
    lines: readonly RoutedLine[];
    isOff: boolean;
    edited: readonly string[];
  }): Part[] {
    const { known, lines, isOff, edited } = change;
    const had = (known ?? []).flatMap(({ stations }) => stations);
    const [before, now] = [sumUp(known ?? []), sumUp(lines)];
    const isOfAll = edited.some((field) => field !== "lineas" && !moneyFields.includes(field));

    return this.stations.flatMap(({ name, everything }): Part[] => {
      const own = lines.flatMap(({ stations }, n) => (stations.includes(name) ? n : []));
      const part: Part = { station: name, lines: own };
      // One without lines is at all of them.
      const isConcerned = had.length === 0 || had.includes(name) || own.length > 0;
      if (isOff || known === undefined) return isConcerned ? [part] : [];

      const pieces = (one: typeof now, other: typeof now): Piece[] =>
        [...one].flatMap(([key, line]) => {
          const more = toPiece(line, line.pieces - (other.get(key)?.pieces ?? 0));
          return more.pieces > 0 && line.stations.includes(name) ? [more] : [];
        });
      const [added, removed] = [pieces(now, before), pieces(before, now)];
      if (added.length + removed.length > 0) return [{ ...part, added, removed }];
      const collects = everything || !this.stations.some((each) => each.everything);
      const isMoney = collects && edited.some((field) => moneyFields.includes(field));
      return isConcerned && (isOfAll || isMoney) ? [part] : [];
    });
  }

  /** Gives what waits for printers that are not of this run to its stations; returns how many orders and changes each had. */
  adopt(journal: Pick<Journal, "transaction">, watchId: number): Promise<Map<string, number>> {
    return journal.transaction(async (tx) => {
      const moved = new Map<string, number>();
      for (const stray of await tx.orderParts.strays(watchId, this.outputs)) {
        const { parts } = await tx.orderParts.of(stray.event);
        if (parts === null) await tx.orderParts.move(watchId, { ...stray, parts }, this.outputs);
        else await this.#adoptParts(tx, watchId, { ...stray, parts });
        moved.set(stray.output, (moved.get(stray.output) ?? 0) + 1);
      }
      await tx.orderParts.retire(watchId, this.outputs);
      return moved;
    });
  }

  async #adoptParts(tx: Transaction, watchId: number, stray: Stray & { parts: string }): Promise<void> {
    const parts = JSON.parse(stray.parts) as Part[];
    const known = await this.#known(tx, (await tx.orderParts.of(stray.event)).lines);
    const given = await this.#reassign(tx, stray, { parts, known });
    const pending = await tx.orderParts.pending(stray.event);
    const merged = this.stations.flatMap(({ name }): Part[] => {
      const own = parts.find(({ station }) => station === name);
      const more = given.find(({ station }) => station === name);
      if (own === undefined || more === undefined) return [own ?? more ?? []].flat();
      if (pending.includes(toOutput(name))) return [joinParts([own, more])];
      // What it has printed it prints no more.
      return [{ ...more, printed: withPrinted(own) }];
    });
    // What other stations that are gone have not printed is still to be given.
    const others = parts
      .filter(({ station }) => toOutput(station) !== stray.output)
      .filter(({ station }) => !this.outputs.includes(toOutput(station)));
    const to = given.map(({ station }) => toOutput(station));
    await tx.orderParts.move(watchId, { ...stray, parts: JSON.stringify([...merged, ...others]) }, to);
    if (known !== undefined) await tx.orderParts.setLines(stray.event, JSON.stringify(known));
  }

  /** What the other stations print of the part of one that is gone: of its lines those that no kitchen prints but at most a station of everything. */
  async #reassign(tx: Transaction, { output, body, isNew }: Stray, { parts, known }: Given): Promise<Part[]> {
    const own = parts.find(({ station }) => toOutput(station) === output);
    if (own === undefined) return [];
    const others = parts.filter(({ station }) => this.outputs.includes(toOutput(station))).map(withPrinted);
    const lines = await this.#route(tx, readLines(parseJson(body)), isNew ? [] : known);
    if (!isNew) return this.#reassignChange(own, others, lines);
    if (own.lines.length === 0 && others.length === 0)
      return this.stations.map(({ name }) => ({ ...own, station: name }));

    const whole = this.stations.filter(({ everything }) => everything).map(({ name }) => name);
    const covered = others.flatMap((each) => (whole.includes(each.station) ? [] : each.lines));
    return this.stations.flatMap(({ name: station }): Part[] => {
      const has = others.find((each) => each.station === station)?.lines ?? [];
      const more = own.lines.filter(
        (n) => !covered.includes(n) && !has.includes(n) && lines[n]?.stations.includes(station) === true,
      );
      return more.length > 0 ? [{ station, lines: more }] : [];
    });
  }

  /** Of a change, every station gets what it has not. */
  #reassignChange(own: Part, others: readonly Part[], lines: readonly RoutedLine[]): Part[] {
    return this.stations.flatMap(({ name: station, everything }): Part[] => {
      const has = others.find((each) => each.station === station);
      if (has !== undefined && everything) return [];
      const kept = has?.lines ?? lines.flatMap(({ stations }, n) => (stations.includes(station) ? n : []));
      const part: Part = { station, lines: [...new Set([...kept, ...own.lines])].sort((a, b) => a - b) };
      if (own.added === undefined)
        return has !== undefined && part.lines.length === has.lines.length ? [] : [part];

      const missing = (pieces: readonly Piece[] = [], held: readonly Piece[] = []): Piece[] =>
        pieces.filter((piece) => !held.some((each) => toKey(each) === toKey(piece)));
      const [added, removed] = [missing(own.added, has?.added), missing(own.removed, has?.removed)];
      return added.length + removed.length > 0 ? [{ ...part, added, removed }] : [];
    });
  }
}

const toPieces = (pieces: readonly Piece[]): Piece[] => [
  ...new Map(pieces.map((piece) => [toKey(piece), piece])).values(),
];

function joinParts([first, ...more]: readonly [Part, ...Part[]]): Part {
  const all = [first, ...more];
  const lines = [...new Set(all.flatMap((part) => part.lines))].sort((a, b) => a - b);
  if (all.every(({ added }) => added === undefined)) return { ...first, lines };
  const added = toPieces(all.flatMap((part) => part.added ?? []));
  const removed = toPieces(all.flatMap((part) => part.removed ?? []));
  return { ...first, lines, added, removed };
}

/** What a station has printed of an event, and what it is to print. */
const withPrinted = ({ printed, ...part }: Part): Part =>
  printed === undefined ? part : joinParts([printed, part]);

/** Where a single printer prints whole orders, it prints what waits for stations, too; returns how many orders and changes each had. */
export function gather(journal: Pick<Journal, "transaction">, watchId: number): Promise<Map<string, number>> {
  return journal.transaction(async (tx) => {
    const moved = new Map<string, number>();
    for (const { event, output } of await tx.orderParts.strays(watchId, ["printer"])) {
      await tx.orderParts.gather(event);
      await tx.orderParts.leave(event, output);
      moved.set(output, (moved.get(output) ?? 0) + 1);
    }
    await tx.orderParts.retire(watchId, ["printer"]);
    return moved;
  });
}
