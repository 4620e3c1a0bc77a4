import type { CatalogItem } from "../../contract/catalog.ts";
import { finds, insert, listed, Records } from "../engine/engine.ts";

export interface ConfirmedItem {
  item: Partial<CatalogItem>;
  active: boolean;
  /** A batch with it was sent, and its outcome is unknown. */
  pending: boolean;
}

/** The fields that a push changes in a product; `from` is what the service last confirmed, null where that is not known. */
export interface ProductChange {
  codigo: string;
  /** new: was deactivated and comes back. unknown: nothing certain is known of it, so that it may be new. missing: not in the file. */
  kind: "new" | "changed" | "deactivated" | "missing" | "unknown";
  fields: { [K in ChangedField]?: { from: string | number | boolean | null; to: string | number | boolean } };
}

/** `activo` is false once a product was deactivated. */
export const changedFields = ["precio", "nombre", "categoria", "deshabilitado"] as const;
export type ChangedField = (typeof changedFields)[number] | "activo";

// JSON text has no NUL, at which the database would cut a code.
const toKey = (codigo: string): string => JSON.stringify(codigo);

const toBytes = (list: string | Uint8Array): Buffer =>
  typeof list === "string" ? Buffer.from(list) : Buffer.from(list.buffer, list.byteOffset, list.length);

const maxUnasked = 5_000;
const pageRows = 5_000;

interface ActivePage {
  /** The products that the service has for certain: the inside of a JSON array. */
  list: Buffer;
  /** The codes of the others. */
  uncertain: string[];
  active: number;
}

export class Catalog extends Records {
  isKept(branch: string): Promise<boolean> {
    return finds(this.sql, "SELECT 1 FROM catalog_kept WHERE branch = ?", branch);
  }

  async keep(branch: string): Promise<void> {
    await this.sql.run(
      "INSERT INTO catalog_kept VALUES (?, 1) ON CONFLICT (branch) DO UPDATE SET asked = 1",
      branch,
    );
  }

  /** Keeps the products of a branch without the flag, as long as no push has many; where one has, what was kept would be out of date. */
  async keepSmall(branch: string, products: number): Promise<void> {
    if (products <= maxUnasked) {
      await this.sql.run("INSERT INTO catalog_kept VALUES (?, 0) ON CONFLICT DO NOTHING", branch);
      return;
    }
    await this.sql.transaction(async (sql) => {
      const dropped = await sql.run("DELETE FROM catalog_kept WHERE branch = ? AND asked = 0", branch);
      if (dropped > 0) await sql.run("DELETE FROM catalog_item WHERE branch = ?", branch);
    });
  }

  async get(branch: string, codes: readonly string[]): Promise<Map<string, ConfirmedItem>> {
    const rows = await this.sql.all<Record<"code" | "item", string> & Record<"active" | "open", number>>(
      `SELECT code, item, active, open FROM catalog_item WHERE branch = ? AND code IN ${listed}`,
      ...[branch, JSON.stringify(codes.map(toKey))],
    );
    return new Map(
      rows.map(({ code, item, active, open }) => [
        JSON.parse(code) as string,
        { item: JSON.parse(item) as Partial<CatalogItem>, active: active === 1, pending: open === 1 },
      ]),
    );
  }

  put(branch: string, items: ReadonlyMap<string, ConfirmedItem>): Promise<void> {
    const rows = Array.from(items, ([codigo, { item, active, pending }]) => ({
      branch,
      code: toKey(codigo),
      item: JSON.stringify(item),
      active: Number(active),
      open: Number(pending),
    }));
    const update =
      "ON CONFLICT (branch, code) DO UPDATE SET item = excluded.item, active = excluded.active, open = excluded.open";
    return insert(this.sql, "catalog_item", rows, update);
  }

  drop(branch: string, codes: Iterable<string>): Promise<void> {
    const rows = Array.from(codes, (codigo) => [branch, toKey(codigo)]);
    return this.sql.many("DELETE FROM catalog_item WHERE branch = ? AND code = ?", rows);
  }

  async countActive(branch: string): Promise<number> {
    const text = "SELECT count(*) AS active FROM catalog_item WHERE branch = ? AND active = 1";
    return (await this.sql.one<{ active: number }>(text, branch)).active;
  }

  async isEmpty(branch: string): Promise<boolean> {
    return !(await finds(this.sql, "SELECT 1 FROM catalog_item WHERE branch = ?", branch));
  }

  /** The active products in the order of their codes, many as one text, since a row for each takes five times as long, and as bytes, which nobody has to decode. */
  async *activePages(branch: string): AsyncGenerator<ActivePage> {
    type Page = Record<"uncertain" | "last", string | null> & {
      list: string | Uint8Array | null;
      active: number;
    };
    for (let last: string | null = ""; last !== null; ) {
      const page: Page = await this.sql.one<Page>(
        `SELECT CAST(list AS BLOB) AS list, uncertain, active, last FROM (
           SELECT string_agg(item, ?) FILTER (WHERE certain) AS list, string_agg(code, ?) FILTER (WHERE NOT certain) AS uncertain,
             count(*) AS active, max(code) AS last
           FROM (SELECT code, item, open = 0 AND item <> '{}' AS certain FROM catalog_item
             WHERE branch = ? AND code > ? AND active = 1 ORDER BY code LIMIT ${pageRows}) AS page) AS joined`,
        ...[",", ",", branch, last],
      );
      last = page.last;
      const { uncertain, active } = page;
      const list = toBytes(page.list ?? "");
      if (active > 0) yield { list, uncertain: JSON.parse(`[${uncertain ?? ""}]`) as string[], active };
    }
  }
}
