import { similarTo } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import { type Cell, guardedChunks, toCell } from "./csv.ts";
import { shown } from "./format.ts";
import type { Format } from "./formats.ts";
import type { Output } from "./output.ts";
import type { Column, Listing } from "./table.ts";
import type { Ui } from "./ui.ts";
import { type Fields, fields, isFields, onlyObjects, present } from "./values.ts";

export interface FieldsOf<Row> {
  object: (row: Row) => Fields;
  /** An object with every field that is known, for a list in which no row has it. */
  example: Fields;
  columns: readonly (readonly [name: string, cell: (row: Row) => Cell])[];
}

/** Returns an object with these fields, all null. */
export const nothingOf = (names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, null]));

/** A field, or one below it: `cliente.nombre`. A name with dots that the service gave itself is that field. */
function findPath(object: Fields, name: string): readonly string[] {
  return Object.hasOwn(object, name) ? [name] : name.split(".");
}

/** Returns the values at these paths, in the shape of the whole and in their order; a list is searched in each of its objects. */
function select(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((each) => select(each, paths));
  if (!isFields(value)) return value;
  const heads = [...new Set(paths.map(([head = ""]) => head))].filter((head) => Object.hasOwn(value, head));
  return Object.fromEntries(
    heads.map((head) => {
      const below = paths.filter(([first]) => first === head).map(([, ...rest]) => rest);
      return [head, select(value[head], below)];
    }),
  );
}

function valueAt(value: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return value;
  if (Array.isArray(value)) {
    const found = value.map((each) => valueAt(each, [head, ...rest])).filter((each) => each !== undefined);
    return found.length === 0 ? undefined : found;
  }
  const object = fields(value);
  return Object.hasOwn(object, head) ? valueAt(object[head], rest) : undefined;
}

export function withFields(object: unknown, names: readonly string[]): unknown {
  const paths = names.map((name) => findPath(fields(object), name));
  return select(object, paths);
}

function readColumn<Row>(of: FieldsOf<Row>, name: string): (row: Row) => Cell {
  const [, own] = of.columns.find(([column]) => column === name) ?? [];
  return own ?? ((row) => toCell(valueAt(of.object(row), findPath(of.object(row), name))));
}

/** Yields a line for each row, in pieces. */
export function fieldsChunks<Row>(
  of: FieldsOf<Row>,
  chosen: readonly string[] | undefined,
  rows: Iterable<Row>,
  ui: Pick<Ui, "width">,
): Iterable<string> {
  const names = chosen ?? of.columns.map(([name]) => name);
  const cells = names.map((name) => readColumn(of, name));
  function* lines(): Generator<Cell[]> {
    for (const row of rows) yield cells.map((cell) => cell(row));
  }
  return guardedChunks(names, lines(), ui.width !== undefined);
}

/** Returns the same as one text. */
export const fieldsCsv = <Row>(
  of: FieldsOf<Row>,
  chosen: readonly string[] | undefined,
  rows: readonly Row[],
  ui: Pick<Ui, "width">,
): string => [...fieldsChunks(of, chosen, rows, ui)].join("");

/** The number of columns to which a chosen text may be cut before another column is left out; times and phones stay whole. */
const shortest = 25;
const shortestObject = 10;
const isNumeric = (cell: Cell): boolean => ["number", "bigint", "object"].includes(typeof cell);

export function fieldColumns<Row>(
  of: FieldsOf<Row>,
  names: readonly string[],
  rows: readonly Row[],
): Column<Row>[] {
  return names.map((name, index): Column<Row> => {
    const cell = readColumn(of, name);
    const isNumber = rows.every((row) => isNumeric(cell(row)) || !present(cell(row)));
    const column: Column<Row> = { title: name, cell: (row) => shown(cell(row)), priority: index + 1 };
    if (isNumber) return { ...column, align: "right" };
    const isObject = rows.some((row) => /^[{[]/.test(shown(cell(row))));
    return { ...column, shrinkTo: isObject ? shortestObject : shortest };
  });
}

function namesIn(object: Fields): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const below = fields(Array.isArray(value) ? value[0] : value);
    return [name, ...Object.keys(below).map((each) => `${name}.${each}`)];
  });
}

/** Throws `usage_flag` for a name that neither the specification nor a row has; without rows nothing is known of what the service may send. */
export function refuseUnknown<Row>(
  of: FieldsOf<Row>,
  names: readonly string[],
  { rows, format }: { rows: readonly Row[]; format: Format },
): void {
  const found = onlyObjects(rows.map(of.object));
  if (found.length === 0) return;
  const objects = [of.example, ...found];
  const columns = format === "table" || format === "csv" ? of.columns.map(([name]) => name) : [];
  const isKnown = (name: string): boolean =>
    columns.includes(name) || objects.some((object) => valueAt(object, findPath(object, name)) !== undefined);
  const name = names.find((each) => !isKnown(each));
  if (name === undefined) return;
  const known = [...new Set([...objects.flatMap((object) => Object.keys(object)), ...columns])];
  const similar = similarTo(name, [...known, ...objects.slice(0, 2).flatMap(namesIn)]);
  throw new BposError("usage_flag", { problem: { kind: "field_unknown", name, similar, known } });
}

export function chosenObjects<Row>(
  of: FieldsOf<Row>,
  rows: readonly Row[],
  { fields, format }: { fields: readonly string[] | undefined; format: Format },
): unknown[] {
  const objects = rows.map(of.object);
  if (fields === undefined) return objects;
  refuseUnknown(of, fields, { rows, format });
  return objects.map((object) => withFields(object, fields));
}

/** Writes a list as the format wants it; `document` is the whole of JSON, around its objects. */
export async function writeList<Row>(
  output: Output,
  of: FieldsOf<Row>,
  rows: readonly Row[],
  {
    fields,
    document,
    view,
  }: {
    fields: readonly string[] | undefined;
    document: (objects: unknown[]) => object;
    view: (ui: Ui) => Listing;
  },
): Promise<void> {
  const { format, ui } = output;
  const objects = chosenObjects(of, rows, { fields, format });
  if (format === "table") return output.list(view);
  if (format === "csv") return output.data(fieldsCsv(of, fields, rows, ui));
  if (format === "json") return output.document(document(objects));
  for (const each of objects) await output.document(each);
}
