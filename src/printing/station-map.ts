import type { Output } from "../cli/display/output.ts";
import { openGiven } from "../cli/files/named-files.ts";
import { catalogColumns } from "../input/columns/catalog-columns.ts";
import { columnMissing } from "../input/columns/choice.ts";
import { fold } from "../input/files/headers.ts";
import { openRows } from "../input/files/rows.ts";
import type { TableHead, TableSink } from "../input/files/table.ts";
import type { System } from "../system.ts";
import { checkStation, type Station, type StationMap } from "./stations.ts";

const stationHeaders: readonly string[] = ["station", "estacion", "estacao"];

function findColumns(head: TableHead) {
  const { codigo } = catalogColumns(head, {});
  const station = head.columns.findIndex((column) => stationHeaders.includes(fold(column)));
  if (station < 0) throw columnMissing(head, "station");
  return { codigo, station };
}

/** Reads the rows of `codigo,station`; a code may have several. Throws `input_unusable`, and `usage_flag` for a station that no branch has. */
export async function readStationMap(
  system: System,
  path: string,
  output: Output,
  branches: readonly (readonly Station[])[],
): Promise<StationMap> {
  const file = await openGiven(system, path, output);
  const source = await openRows(file, {}, "stations");
  const known = [...new Map(branches.flat().map((station) => [station.name, station])).values()];
  const map = new Map<string, string[]>();
  let columns = { codigo: 0, station: 1 };
  const sink: TableSink = {
    header(names, hidden) {
      columns = findColumns({ file, columns: names, hidden, format: source.form.format });
    },
    row({ cells, line }) {
      const [codigo = "", station = ""] = [cells[columns.codigo], cells[columns.station]].map((cell) =>
        cell?.trim(),
      );
      if (codigo === "" && station === "") return;
      checkStation(known, station, { file: file.name, line });
      map.set(codigo, [...(map.get(codigo) ?? []), station]);
    },
  };
  await source.stream(sink);
  return map;
}
