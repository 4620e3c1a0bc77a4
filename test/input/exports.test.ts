import { describe, expect, it, test } from "vitest";
import type { CatalogOptions } from "../../src/input/catalog.ts";
import { catalog, inWords, refusal, rowsOf } from "./support.ts";

/** Headers of the exports that shops and points of sale write, shortened to what matters, in their order. */
const exported: Record<string, string> = {
  Loyverse:
    "Handle,SKU,Name,Category,Description,Sold by weight,Option 1 name,Option 1 value,Cost,Barcode,SKU of included item,Quantity of included item,Track stock,Available for sale [Centro],Price [Centro],In stock [Centro],Low stock [Centro]",
  WooCommerce:
    'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,Is featured?,Visibility in catalog,Short description,Description,Date sale price starts,Date sale price ends,Tax status,In stock?,Stock,Weight (kg),Sale price,Regular price,Categories,Tags,Parent',
  "WooCommerce (es)":
    "ID,Tipo,SKU,Nombre,Publicado,¿Está destacado?,Visibilidad en el catálogo,Descripción corta,Descripción,Día en que empieza el precio rebajado,Día en que termina el precio rebajado,Inventario,Precio rebajado,Precio normal,Categorías,Etiquetas",
  Shopify:
    "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Gift Card,SEO Title,SEO Description,Cost per item,Status",
  "Shopify (2025)":
    "Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Cost per item,Unit price total measure,Unit price total measure unit,Unit price base measure,Inventory quantity",
  Square:
    "Reference Handle,Token,Item Name,Customer-facing Name,Variation Name,SKU,Description,Categories,Reporting Category,GTIN,Item Type,Price,Online Sale Price,Archived,Sellable,Stockable,Option Name 1,Option Value 1,Default Unit Cost,Default Vendor Code,Enabled Centro,Current Quantity Centro,Stock Alert Enabled Centro",
  Tiendanube:
    "Identificador de URL,Nombre,Categorías,Nombre de propiedad 1,Valor de propiedad 1,Precio,Precio promocional,Peso (kg),Stock,SKU,Código de barras,Mostrar en tienda,Envío sin cargo,Descripción,Tags,Título para SEO,Descripción para SEO,Marca,Producto Físico,Costo",
  Nuvemshop:
    "Identificador URL,Nome,Categorias,Nome da variação 1,Valor da variação 1,Preço,Preço promocional,Estoque,SKU,Código de barras,Exibir na loja,Frete gratis,Descrição,Título para SEO,Produto Físico,Custo",
  PrestaShop:
    'Product ID,Active (0/1),Name *,"Categories (x,y,z...)",Price tax excluded,Tax rules ID,Cost price,On sale (0/1),Discount amount,Reference #,Supplier reference #,Supplier,EAN13,Quantity,Visibility,Description',
  Odoo: "External ID,Internal Reference,Name,Barcode,Product Category,Sales Price,Cost,Can be Sold,Can be Purchased",
  "Lightspeed (Vend)":
    "id,handle,sku,composite_handle,composite_sku,name,description,type,tags,supply_price,retail_price,brand_name,supplier_name,supplier_code,active,track_inventory,inventory_Main_Outlet",
  Bling:
    "ID;Código;Descrição;Unidade;NCM;Origem;Preço;Valor IPI fixo;Observações;Situação;Estoque;Preço de custo;Cód no fornecedor;Fornecedor;GTIN/EAN;Descrição Complementar;Código Pai;Categoria do produto",
  "Tiny (Olist)":
    "ID;Código (SKU);Descrição;Unidade;Preço;Situação;Estoque;Preço de custo;Cód do Fornecedor;GTIN/EAN;Descrição complementar;Categoria;Permitir inclusão nas vendas",
  "Mercado Libre": "Número de publicación;Título;SKU;Stock;Precio;Condición;Estado",
  Clover:
    "Clover ID,Name,Alternate Name,Price,Price Type,Price Unit,Tax Rates,Cost,Product Code,SKU,Labels,Quantity,Hidden",
};

const delimiterOf = (header: string): string => (header.includes(";") ? ";" : ",");
const cellsOf = (header: string): string[] =>
  delimiterOf(header) === ";"
    ? header.split(";")
    : [...header.matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

/** A file of that header with rows that hold these values. */
function fileOf(header: string, ...rows: Record<string, string>[]): string {
  const cells = cellsOf(header);
  const lines = rows.map((row) => cells.map((name) => row[name] ?? "").join(delimiterOf(header)));
  return [header, ...lines].join("\n");
}

/** Which columns a file of that header is read by. */
async function fieldsOf(header: string, options?: CatalogOptions) {
  const [first = ""] = cellsOf(header);
  return (await catalog(fileOf(header, { [first]: "A1" }), options)).mapping.fields;
}

/** The columns of code, name, category and price, and of what is for sale. */
const understood: readonly [string, string, string, string | null, string, string | null][] = [
  ["Loyverse", "SKU", "Name", "Category", "Price [Centro]", "Available for sale [Centro]"],
  ["Shopify", "Variant SKU", "Title", "Product Category", "Variant Price", null],
  ["Shopify (2025)", "SKU", "Title", "Product category", "Price", null],
  ["PrestaShop", "Reference #", "Name *", "Categories (x,y,z...)", "Price tax excluded", "Active (0/1)"],
  ["Odoo", "Internal Reference", "Name", "Product Category", "Sales Price", "Can be Sold"],
  ["Lightspeed (Vend)", "sku", "name", null, "retail_price", "active"],
  ["Bling", "Código", "Descrição", "Categoria do produto", "Preço", "Situação"],
  ["Tiny (Olist)", "Código (SKU)", "Descrição", "Categoria", "Preço", null],
  ["Mercado Libre", "SKU", "Título", null, "Precio", "Estado"],
  ["Clover", "SKU", "Name", null, "Price", "Hidden"],
];

describe("an export with one column for each field is understood without --map", () => {
  it.each(understood)("%s", async (...row) => {
    const [name, codigo, nombre, categoria, precio, sale] = row;
    const header = exported[name]!;
    const reading = await catalog(fileOf(header, { [codigo]: "A1", [nombre]: "Pan", [precio]: "5" }));
    expect(reading.mapping.fields).toEqual({ codigo, nombre, categoria, precio, deshabilitado: sale });
    expect(rowsOf(reading).map(({ item }) => item)).toEqual([{ codigo: "A1", nombre: "Pan", precio: 5 }]);
  });
});

describe("an export with two prices asks for the price, and for nothing else", () => {
  it.each([
    ["WooCommerce", ["Sale price", "Regular price"]],
    ["WooCommerce (es)", ["Precio rebajado", "Precio normal"]],
    ["Square", ["Price", "Online Sale Price"]],
    ["Tiendanube", ["Precio", "Precio promocional"]],
    ["Nuvemshop", ["Preço", "Preço promocional"]],
  ])("%s", async (name, prices) => {
    const header = exported[name]!;
    const flags = prices.map((price) => `--map "precio=${price}"`).join(" or ");
    const said = await refusal(catalog(fileOf(header, { SKU: "A1" })));
    expect(said).toMatch(/^the columns "[^"]+" and "[^"]+" both look like the precio → /);
    expect(said).toContain(`Choose the right one: ${flags}.`);
    const [precio = ""] = prices;
    expect(await fieldsOf(header, { map: { precio } })).toMatchObject({
      codigo: "SKU",
      nombre: expect.stringMatching(/^(Item )?N/) as string,
      precio,
    });
  });
});

test("a description is the name only where no column is called a name", async () => {
  expect((await fieldsOf("codigo;Nombre;Descripción;precio")).nombre).toBe("Nombre");
  expect((await fieldsOf("codigo;Descripción;precio")).nombre).toBe("Descripción");
  expect(await refusal(catalog("codigo;Producto;Descripción\n1;a;b\n"))).toContain(
    'the columns "Producto" and "Descripción" both look like the nombre',
  );
  expect((await fieldsOf("codigo;Referencia;nombre")).codigo).toBe("codigo");
});

describe("a column that says what is for sale", () => {
  const list = (header: string, ...values: string[]) =>
    `codigo;nombre;precio;${header}\n${values.map((value, n) => `P${n};Pan;5;${value}\n`).join("")}`;
  const disabled = async (content: string, options?: CatalogOptions) =>
    rowsOf(await catalog(content, options)).map(({ item }) => item.deshabilitado);
  const saleNotices = async (content: string, options?: CatalogOptions) =>
    (await catalog(content, options)).notices.filter(({ kind }) => kind.startsWith("sale_"));

  it.each([
    ["Available for sale [Centro]", ["Y", "N", ""], [false, true, undefined]],
    ["Published", ["1", "0", "1"], [false, true, false]],
    ["Mostrar en tienda", ["SI", "NO", "SI"], [false, true, false]],
    ["Exibir na loja", ["SIM", "NÃO", "SIM"], [false, true, false]],
    ["Enabled Centro", ["Y", "N", "Y"], [false, true, false]],
    ["Puede ser vendido", ["VERDADERO", "FALSO", "VERDADERO"], [false, true, false]],
    ["Discontinuado", ["no", "sí", ""], [false, true, undefined]],
    ["Archived", ["N", "Y", "N"], [false, true, false]],
  ])(
    "%s is used by itself where it says yes and no alone, and this is said",
    async (header, values, expected) => {
      const content = list(header, ...values);
      expect(await disabled(content)).toEqual(expected);
      const inverse = !/^(Disc|Arch)/.test(header);
      expect(await saleNotices(content)).toEqual([{ kind: "sale_used", column: header, inverse }]);
    },
  );

  it("is used in every format, in plain lines and in others", async () => {
    const rows = Array.from({ length: 60 }, (_, n) => ({
      codigo: `P${n}`,
      Publicado: n % 2 === 0 ? "no" : "sí",
    }));
    const csv = `codigo;nombre;Publicado\n${rows.map((row) => `${row.codigo};Pan;${row.Publicado}\n`).join("")}`;
    for (const content of [csv, csv.replaceAll("Pan", '"Pan"'), JSON.stringify(rows)])
      expect(await disabled(content)).toEqual(rows.map((_, n) => n % 2 === 0));
  });

  it.each([
    ["other words", list("Status", "active", "draft", "archived")],
    [
      "one other word, at the end of many",
      list("Published", ...Array.from({ length: 200 }, () => "1"), "-1"),
    ],
  ])("with %s is named by itself, with the flag that uses it, and changes nothing", async (_, content) => {
    const [, header = ""] = /precio;(.*)\n/.exec(content) ?? [];
    expect(new Set(await disabled(content))).toEqual(new Set([undefined]));
    const { notices, rejected } = await catalog(content);
    expect(rejected).toEqual([]);
    expect(inWords(notices)).toEqual([
      `Column "${header}" might say which products are for sale, but was not used. To use it, pass --map "activo=${header}".`,
    ]);
  });

  it("is understood with that flag: words of a status, and WooCommerce's draft", async () => {
    const map = { activo: "Status" };
    expect(
      await disabled(list("Status", "active", "draft", "archived", "Activo", "Inativo", "-1"), { map }),
    ).toEqual([...[false, true, true, false, true, true]]);
    const { rejected } = await catalog(list("Status", "active", "soon"), { map });
    expect(rejected.map(({ problem }) => problem.kind)).toEqual(["boolean_unknown"]);
    const odd = await catalog(list("deshabilitado", "activo"));
    expect(odd.rejected).toHaveLength(1);
  });

  it("beside another is named with it, and neither is used; the other columns are named apart", async () => {
    const header = "codigo;nombre;Stock;Available for sale [Centro];Available for sale [Norte]";
    const { notices, mapping } = await catalog(`${header}\nA;Pan;5;Y;N\n`);
    expect(inWords(notices)).toEqual([
      'These columns might say which products are for sale, but were not used: "Available for sale [Centro]", "Available for sale [Norte]". To use one, pass --map "activo=Available for sale [Centro]" or --map "activo=Available for sale [Norte]".',
      'Unused columns: "Stock". Use --map to assign a column to a field.',
    ]);
    expect(mapping.fields.deshabilitado).toBe(null);
  });

  it("beside a column that is called so, or that --map names, is not asked about", async () => {
    expect(await saleNotices("codigo;activo;Published\nA;si;0\n")).toEqual([]);
    const map = { deshabilitado: "fuera" };
    expect(await disabled("codigo;fuera;Published\nA;no;0\n", { map })).toEqual([false]);
    expect(await saleNotices("codigo;fuera;Published\nA;no;0\n", { map })).toEqual([]);
  });

  it.each(["On sale (0/1)", "Stock Alert Enabled Centro", "Track stock", "Disponible desde", "Estado civil"])(
    "%s is none",
    async (header) => {
      expect(await saleNotices(list(header, "1", "0"))).toEqual([]);
    },
  );

  it("is not looked for by a delete", async () => {
    expect(await saleNotices(list("Status", "active"), { action: "delete" })).toEqual([]);
  });
});
