import CliTable from "cli-table3";
import { type Column, column, table } from "../src/cli/display/table.ts";
import type { Ui } from "../src/cli/display/ui.ts";
import { createTheme } from "../src/cli/display/ui.ts";
import { textsIn } from "../src/texts/texts.ts";
import type { Bench, Run } from "./support.ts";

/** Nine cells a row, as the list of orders has. */
const cellsOf = (n: number): string[] => [
  ...[String(1000 + n), "31/1 08:00", `${n % 60} min`, "pendiente", "delivery", `Ana ${n}`],
  ...["2 Empanada de carne, 1 Gaseosa", "$ 1.200,00", "$ 12.345,00"],
];
const columns: Column<string[]>[] = cellsOf(0).map((_, at) =>
  column(`Column ${at}`, at, (row: string[]) => row[at] ?? ""),
);
const ui: Ui = {
  theme: createTheme(0),
  texts: textsIn("en"),
  width: undefined,
  money: { locale: "es-AR", currency: "ARS" },
  badge: null,
  now: 0,
};

/** Widths and no borders, so that it is as fast as it can be, in tables of 100 rows. */
function bareTable(rows: readonly string[][]): string {
  const noBorders = Object.fromEntries(
    Object.keys(new CliTable().options.chars).map((name) => [name, name === "middle" ? "  " : ""]),
  );
  const colWidths = cellsOf(0).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const style = { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true };
  const blocks: string[] = [];
  for (let from = 0; from < rows.length; from += 100) {
    const drawing = new CliTable({ chars: noBorders, style, colWidths });
    drawing.push(...rows.slice(from, from + 100));
    blocks.push(drawing.toString());
  }
  return blocks.join("\n");
}

/** A small table takes less time than the clock can tell: it is made many times. */
function timed(work: () => string, times: number): Run {
  const began = performance.now();
  for (let n = 0; n < times; n += 1) work();
  return { seconds: (performance.now() - began) / 1000, megabytes: Number.NaN };
}

const sizes = [20, 1_000, 10_000];
export const tables: Bench = {
  name: "table",
  rows: [
    ...sizes.map((rows) => ({
      name: String(rows),
      operation: `table of ${rows.toLocaleString("en-US")} rows`,
      against: "cli-table3 in blocks of 100",
      target: 1.2,
    })),
    { name: "linear", operation: "table of 10,000 rows", against: "of 1,000", target: 11 },
  ],
  *measure(world) {
    const seconds: number[] = [];
    for (const rows of sizes) {
      const cells = Array.from({ length: rows }, (_, n) => cellsOf(n));
      const times = Math.ceil(1_000 / rows);
      const programs = {
        bpos: () => timed(() => table(columns, cells, ui), times),
        bare: () => timed(() => bareTable(cells), times),
      };
      for (const program of Object.values(programs)) program();
      const { bpos, bare } = world.interleave(world.rounds(5), programs);
      seconds.push(bpos.seconds / times);
      yield [String(rows), bpos.seconds / bare.seconds];
    }
    yield ["linear", (seconds[2] ?? Number.NaN) / (seconds[1] ?? Number.NaN)];
  },
};
