import { parseJson } from "../api/json.ts";
import { fields } from "../cli/display/values.ts";
import { isOffState } from "../contract/limits.ts";
import type { Journal, Transaction } from "../journal/journal.ts";
import type { Stray } from "../journal/records/order-parts.ts";
import {
  certainPart,
  joinParts,
  type Part,
  type Piece,
  type RoutedLine,
  readLines,
  reassignChange,
  reassignOrder,
  splitChange,
  splitOrder,
  toKey,
  withPrinted,
} from "./parts.ts";
import { routeProduct, type Station, type StationMap } from "./stations.ts";

/** The output of a station, under which the journal keeps what it has not printed. */
export const stationOutput = (station: string): `printer:${string}` => `printer:${station}`;

const toPrint = (recorded: string): Part[] =>
  (JSON.parse(recorded) as Part[]).filter(({ isDoubtful }) => isDoubtful !== true);

type Given = { parts: readonly Part[]; known: readonly RoutedLine[] | undefined };
type Event = { output: string; body: string; from: string | null; edited: readonly string[] };

/** Decides which station prints which lines, and records it before the first prints, so that each line is printed whatever changes meanwhile. */
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
    this.outputs = stations.map(({ name }) => stationOutput(name));
    this.#map = map;
    this.#branchId = branchId;
  }

  /** The parts of an event, in the sequence of the stations. */
  async parts(tx: Transaction, event: number, { output, body, from, edited }: Event): Promise<Part[]> {
    const recorded = await tx.orderParts.of(event);
    if (recorded.parts !== null) return toPrint(recorded.parts);

    const order = parseJson(body);
    const known = from === null ? undefined : await this.#known(tx, recorded.lines);
    const lines = await this.#route(tx, readLines(order), known);
    const isOff = isOffState(fields(order)["status"]);
    const parts =
      from === null
        ? splitOrder(this.stations, lines)
        : splitChange(this.stations, { known, lines, isOff, edited });
    const busy: readonly string[] = parts.map(({ station }) => stationOutput(station));
    const text = await tx.orderParts.record(event, {
      output,
      parts: JSON.stringify(parts),
      lines: JSON.stringify(lines),
      idle: this.outputs.filter((each) => !busy.includes(each)),
    });
    return toPrint(text);
  }

  /** Returns which station prints which lines now; records nothing. */
  async plan(journal: Pick<Transaction, "catalog">, order: unknown): Promise<Part[]> {
    return splitOrder(this.stations, await this.#route(journal, readLines(order)));
  }

  /** Uses the catalog as the journal has it now; earlier routes stay. */
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

  /** The lines of an order as it was. For a removed station, those that print such a line now replace it: it may only have been renamed. */
  async #known(tx: Pick<Transaction, "catalog">, recorded: string | null): Promise<RoutedLine[] | undefined> {
    if (recorded === null) return undefined;
    const known = JSON.parse(recorded) as RoutedLine[];
    const routed = await this.#route(tx, known);
    return known.map((line, n) => {
      const isGone = line.stations.some((name) => !this.outputs.includes(stationOutput(name)));
      const names = isGone ? [...line.stations, ...(routed[n]?.stations ?? [])] : line.stations;
      const stations = this.stations.map(({ name }) => name).filter((name) => names.includes(name));
      return { ...line, stations };
    });
  }

  /** Moves deliveries pending for printers outside this run to its stations; returns how many orders and changes each had. */
  adopt(journal: Pick<Journal, "transaction">, watchId: number): Promise<Map<string, number>> {
    return journal.transaction(async (tx) => {
      const moved = new Map<string, number>();
      for (const stray of await tx.orderParts.strays(watchId, this.outputs)) {
        const { parts } = await tx.orderParts.of(stray.event);
        const toAll = this.outputs.map((output) => ({ output, state: stray.state }));
        if (parts === null) await tx.orderParts.move(watchId, { ...stray, parts }, toAll);
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
      const { isDoubtful, ...before } = own;
      if (isDoubtful === true || pending.includes(stationOutput(name))) return [joinParts([before, more])];
      // A station does not reprint what it has printed.
      return [{ ...more, printed: withPrinted(own) }];
    });
    // The parts of other removed stations still have to be reassigned; what this one has printed is known if it returns.
    const others = parts
      .filter(({ station }) => !this.outputs.includes(stationOutput(station)))
      .flatMap((part): Part[] => {
        if (stationOutput(part.station) !== stray.output) return [part];
        if (stray.state === "begun") return [{ ...part, isDoubtful: true }];
        return part.printed === undefined ? [] : [part.printed];
      });
    const to = given.map(({ station }) => {
      const mayHave = parts.some((part) => part.station === station && part.isDoubtful === true);
      return { output: stationOutput(station), state: mayHave ? "begun" : stray.state };
    });
    await tx.orderParts.move(watchId, { ...stray, parts: JSON.stringify([...merged, ...others]) }, to);
    if (known !== undefined) await tx.orderParts.setLines(stray.event, JSON.stringify(known));
  }

  /** Splits the part of a removed station among the others. */
  async #reassign(tx: Transaction, { output, body, isNew }: Stray, { parts, known }: Given): Promise<Part[]> {
    const own = parts.find(({ station }) => stationOutput(station) === output);
    if (own === undefined) return [];
    const others = parts
      .filter(({ station }) => this.outputs.includes(stationOutput(station)))
      .flatMap((part) => certainPart(part) ?? []);
    const lines = await this.#route(tx, readLines(parseJson(body)), isNew ? [] : known);
    const reassign = isNew ? reassignOrder : reassignChange;
    return reassign(this.stations, { own, others, lines });
  }
}

/** Moves deliveries pending for stations to one printer of whole orders; returns how many orders and changes each station had. */
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
