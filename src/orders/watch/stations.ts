import { parseJson, toNumber } from "../../api/json.ts";
import { type Fields, fields, list, present } from "../../cli/display/fields.ts";
import { isOffState } from "../../contract/limits.ts";
import type { Journal, Transaction } from "../../journal/journal.ts";
import type { Stray } from "../../journal/order-parts.ts";
import { routeProduct, type Station, type StationMap } from "../../settings/stations.ts";
import { asCame } from "../show/view.ts";

/** So many pieces of a product with its options. */
interface Piece {
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
}

/** A line of an order, with the stations that print it. */
interface RoutedLine extends Piece {
  codigo: string | null;
  stations: string[];
}

/** The fields that only whoever collects needs. */
const moneyFields: readonly string[] = ["total", "pago", "costo_envio"];
const maxName = 200;

const toText = (value: unknown): string => (present(value) ? asCame(value).slice(0, maxName) : "");

function readLines(order: unknown): Omit<RoutedLine, "stations">[] {
  return list(fields(order)["lineas"]).map((line: Fields) => {
    const codigo = toText(line["codigo"]) || null;
    const options = list(line["opciones"]).map((each) => toText(each["nombre"]) || toText(each["codigo"]));
    const name = toText(line["nombre"]) || (codigo ?? "");
    return { codigo, name, options, pieces: toNumber(line["cantidad"]) ?? 1 };
  });
}

/** What tells a line from another; its price is of no account in a kitchen. */
const toKey = ({ codigo, name, options }: Omit<RoutedLine, "stations">): string =>
  JSON.stringify([codigo, name, options.toSorted()]);

function sumUp(lines: readonly RoutedLine[]): Map<string, RoutedLine> {
  const sums = new Map<string, RoutedLine>();
  for (const line of lines) {
    const pieces = (sums.get(toKey(line))?.pieces ?? 0) + line.pieces;
    sums.set(toKey(line), { ...line, pieces });
  }
  return sums;
}

const toPiece = ({ name, options }: Piece, pieces: number): Piece => ({ name, options, pieces });

/** The output of a station, under which the journal keeps what it has not printed. */
export const toOutput = (station: string): `printer:${string}` => `printer:${station}`;

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
    const known =
      from === null || recorded.lines === null ? undefined : (JSON.parse(recorded.lines) as RoutedLine[]);
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

  /** By the catalog as the journal knows it now; what was routed before stays where it is. */
  async #route(
    { catalog }: Pick<Transaction, "catalog">,
    lines: readonly Omit<RoutedLine, "stations">[],
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
      return { ...line, stations: kept === undefined ? routed() : this.#present(kept) };
    });
  }

  /** Those that are still there; all where none is. */
  #present(names: readonly string[]): string[] {
    const all = this.stations.map(({ name }) => name);
    const present = all.filter((name) => names.includes(name));
    return present.length > 0 ? present : all;
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
    const had = this.#present((known ?? []).flatMap(({ stations }) => stations));
    const [before, now] = [sumUp(known ?? []), sumUp(lines)];
    const isOfAll = edited.some((field) => field !== "lineas" && !moneyFields.includes(field));

    return this.stations.flatMap(({ name, everything }): Part[] => {
      const own = lines.flatMap(({ stations }, n) => (stations.includes(name) ? n : []));
      const part: Part = { station: name, lines: own };
      const isConcerned = had.includes(name) || own.length > 0;
      if (isOff || known === undefined) return isConcerned ? [part] : [];

      const pieces = (one: typeof now, other: typeof now): Piece[] =>
        [...one].flatMap(([key, line]) => {
          const more = line.pieces - (other.get(key)?.pieces ?? 0);
          return more > 0 && this.#present(line.stations).includes(name) ? [toPiece(line, more)] : [];
        });
      const [added, removed] = [pieces(now, before), pieces(before, now)];
      if (added.length + removed.length > 0) return [{ ...part, added, removed }];
      const isMoney = everything && edited.some((field) => moneyFields.includes(field));
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
    const given = await this.#reassign(tx, stray, parts);
    const pending = await tx.orderParts.pending(stray.event);
    const merged = this.stations.flatMap(({ name }): Part[] => {
      const own = parts.filter(({ station }) => station === name);
      const more = given.filter(({ station }) => station === name);
      // What it has printed it prints no more.
      return more.length > 0 && !pending.includes(toOutput(name)) ? more : joinParts([...own, ...more]);
    });
    const to = given.map(({ station }) => toOutput(station));
    await tx.orderParts.move(watchId, { ...stray, parts: JSON.stringify(merged) }, to);
  }

  /** What the other stations print of the part of one that is gone: of its lines those that no kitchen prints but at most a station of everything. */
  async #reassign(tx: Transaction, { output, body, isNew }: Stray, parts: readonly Part[]): Promise<Part[]> {
    const own = parts.find(({ station }) => toOutput(station) === output);
    if (own === undefined) return [];
    const others = parts.filter(({ station }) => this.outputs.includes(toOutput(station)));
    if (!isNew || (own.lines.length === 0 && others.length === 0))
      return this.stations.map(({ name }) => ({ ...own, station: name }));

    const whole = this.stations.filter(({ everything }) => everything).map(({ name }) => name);
    const covered = others.flatMap(({ station, lines }) => (whole.includes(station) ? [] : lines));
    const lines = await this.#route(tx, readLines(parseJson(body)));
    return this.stations.flatMap(({ name: station }): Part[] => {
      const has = others.find((each) => each.station === station)?.lines ?? [];
      const more = own.lines.filter(
        (n) => !covered.includes(n) && !has.includes(n) && lines[n]?.stations.includes(station) === true,
      );
      return more.length > 0 ? [{ station, lines: more }] : [];
    });
  }
}

function joinParts([first, ...more]: readonly Part[]): Part[] {
  if (first === undefined) return [];
  const all = [first, ...more];
  const lines = [...new Set(all.flatMap((part) => part.lines))].sort((a, b) => a - b);
  if (all.every(({ added }) => added === undefined)) return [{ ...first, lines }];
  const [added, removed] = [
    all.flatMap((part) => part.added ?? []),
    all.flatMap((part) => part.removed ?? []),
  ];
  return [{ ...first, lines, added, removed }];
}
