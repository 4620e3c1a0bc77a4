import { describe, expect, test } from "vitest";
import { catalog, inWords, items, reasons, refusal, rowsOf } from "./support.ts";

describe("headers", () => {
  test.each([
    ["Código", "Descripción", "Rubro", "Precio de venta", "Activo"],
    ["CODIGO", "NOMBRE", "CATEGORÍA", "IMPORTE", "ACTIVO"],
    ["sku", "producto", "categoria", "precio", "Habilitado"],
    ["PLU", "Detalle", "Familia", "Precio", "active"],
  ])("%s, %s, %s, %s, %s are understood", async (...headers) => {
    expect(await items(`${headers.join(";")}\n007;Pan;Panes;10,50;no\n`)).toEqual([
      { codigo: "007", nombre: "Pan", categoria: "Panes", precio: 10.5, deshabilitado: true },
    ]);
  });

  test("--map overrides, and an unknown column is ignored with a notice", async () => {
    const text = "Codigo;SKU;Nombre;Activo\n1;A-1;x;no\n";
    const reading = await catalog(text, { map: { codigo: "sku", deshabilitado: "Activo" } });
    expect(rowsOf(reading).map(({ item }) => item)).toEqual([
      { codigo: "A-1", nombre: "x", deshabilitado: true },
    ]);
    expect(inWords(reading.notices)).toEqual([
      'Unused columns: "Codigo". Use --map to assign a column to a field.',
    ]);
  });

  test("two columns for one field are refused with both names", async () => {
    expect(await refusal(catalog("Codigo;SKU\n1;2\n"))).toBe(
      'the columns "Codigo" and "SKU" both look like the codigo → Choose the right one: --map "codigo=Codigo" or --map "codigo=SKU".',
    );
    expect(await refusal(catalog("codigo;activo;deshabilitado\n1;si;no\n"))).toContain(
      '"activo" and "deshabilitado"',
    );
  });

  test("all fields with two columns are asked for at once, together with a missing code", async () => {
    expect(await refusal(catalog("SKU;Código;Nombre;Precio lista;Precio oferta\n1;2;x;3;4\n"))).toBe(
      'the columns "SKU" and "Código" both look like the codigo; the columns "Precio lista" and "Precio oferta" both look like the precio → Choose the right ones: --map "codigo=SKU" or --map "codigo=Código"; --map "precio=Precio lista" or --map "precio=Precio oferta".',
    );
    const both = 'the columns "Precio lista" and "Precio oferta" both look like the precio';
    expect(await refusal(catalog('[{"Precio lista":1,"Precio oferta":2}]'))).toBe(
      `no column holds the codigo (headers: "Precio lista", "Precio oferta"); ${both} → Name it with --map codigo=HEADER. Name the others too: --map "precio=Precio lista" or --map "precio=Precio oferta".`,
    );
  });

  test("no code column, or no header at all, is refused with the headers read", async () => {
    expect(await refusal(catalog("00123;Pizza;1000\n00124;Fainá;500\n"))).toBe(
      'no column holds the codigo (headers: "00123", "Pizza", "1000") → Name it with --map codigo=HEADER, or pass the delimiter with --delimiter. If the header is on another line, pass --header-row N.',
    );
  });

  test("--map with a column or a field that is not there is refused", async () => {
    expect(await refusal(catalog("codigo\n1\n", { map: { precio: "PVP" } }))).toBe(
      '--map names the column "PVP", which does not exist (headers: "codigo") → Correct --map.',
    );
    expect(await refusal(catalog("codigo\n1\n", { map: { color: "codigo" } }))).toContain(
      'the field "color"',
    );
  });
});

test("tells all that is wrong with a row at once", async () => {
  const file = "codigo;precio;activo\n;consultar;quizás\n7,79E+12;-1;sí\nA;1;sí\n";
  expect(await reasons(file)).toEqual([
    [
      "2: the code is empty: every product needs its own",
      'precio "consultar" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
      'activo "quizás" is neither yes nor no: write sí or no, or leave the cell empty',
    ].join(". Also: "),
    [
      '3: codigo: the spreadsheet lost digits of "7,79E+12": format the column as text and export again',
      'precio "-1" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
    ].join(". Also: "),
  ]);
  const { rejected } = await catalog('[{"codigo":1,"nombre":{},"precio":[2],"deshabilitado":"tal vez"}]');
  expect(rejected.map(({ problem, also = [] }) => [problem, ...also].map(({ kind }) => kind))).toEqual([
    ["code_not_text", "value_not_text", "value_not_text", "boolean_unknown"],
  ]);
});

describe("amounts", () => {
  const prices = async (...cells: string[]) =>
    (await items(["codigo\tprecio", ...cells.map((cell, index) => `${index}\t${cell}`)].join("\n"))).map(
      ({ precio }) => precio,
    );

  test.each([
    [
      ["1.250,50", "1.250"],
      [1250.5, 1250],
    ],
    [
      ["1,250.50", "1,250"],
      [1250.5, 1250],
    ],
    [
      ["$ 1.250,50", "$ 800", "R$ 3,5"],
      [1250.5, 800, 3.5],
    ],
    [
      ["S/. 1,250.50", "S/. 12", "S/ 0.5", "MX$ 1,250"],
      [1250.5, 12, 0.5, 1250],
    ],
    [
      ["Gs. 1.250,50", "₲ 800", "$U 3,5", "Bs. 1.250"],
      [1250.5, 800, 3.5, 1250],
    ],
    [
      ["1.250.000", "1.250"],
      [1250000, 1250],
    ],
    [
      ["0.250", "1250.125", "1,250"],
      [0.25, 1250.125, 1250],
    ],
    [
      ["1250", "", "0"],
      [1250, undefined, 0],
    ],
    [
      ["0,1", "1250,5"],
      [0.1, 1250.5],
    ],
  ])("%j: the whole column decides", async (cells, values) => {
    expect(await prices(...cells)).toEqual(values);
  });

  test("two decimal signs in one column are refused with both lines", async () => {
    expect(await refusal(catalog("codigo;precio\n1;12,50\n2;12.50\n"))).toMatch(
      /^precio mixes decimal signs: a comma in "12,50" \(line 2\), a point in "12.50" \(line 3\) →/,
    );
  });

  test.each([
    "consultar",
    "Infinity",
    "NaN",
    "0x1F",
    "1e3",
    "1.25.00",
    "1,2,3",
    "12-",
    "+5",
    "U$S 10",
    "12 %",
    "--5",
    "½",
  ])("%s is no amount", async (text) => {
    expect(await reasons(`codigo\tprecio\n1\t${text}\n`)).toEqual([
      `2: precio "${text}" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty`,
    ]);
  });

  test.each(["-5", "-5,50", "$ -5", "-$5"])("%s is below zero", async (text) => {
    expect(await reasons(`codigo\tprecio\n1\t${text}\n`)).toEqual([
      `2: precio "${text}" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty`,
    ]);
  });

  test("more than 15 digits are rejected, never rounded", async () => {
    expect(await reasons("codigo;precio\n1;1234567890,123456\n")).toEqual([
      '2: precio "1234567890,123456" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
    ]);
  });
});

describe("codes", () => {
  test.each(["00123", "1E5", "1.10", "2e10", "A B  C", "V/02", "7E-3"])(
    "%s is text and stays as it is",
    async (code) => {
      expect(await items(`codigo;nombre\n${code};x\n`)).toEqual([{ codigo: code, nombre: "x" }]);
    },
  );

  test.each(["7,79123E+12", "7.79123E+12", "1E+05", "7,8e+12"])("%s has lost digits", async (code) => {
    expect(await reasons(`codigo;nombre\n${code};x\n`)).toEqual([
      `2: codigo: the spreadsheet lost digits of "${code}": format the column as text and export again`,
    ]);
  });
});

describe("duplicates", () => {
  const different = "codigo;precio\nA;1\nB;2\nA;3\nA;1\n";

  test("identical rows are collapsed and counted", async () => {
    const reading = await catalog("codigo;precio\nA;10\nB;2\nA;10,00\n");
    expect(reading).toMatchObject({ read: 3, collapsed: 1, rejected: [] });
    expect(rowsOf(reading).map(({ line }) => line)).toEqual([2, 3]);
  });

  test("different rows are all rejected, with all their lines", async () => {
    const words =
      'code "A" is on lines 2, 4, 5 with different data: keep one of them, or use --on-duplicate first or last';
    expect(await reasons(different)).toEqual([`2: ${words}`, `4: ${words}`, `5: ${words}`]);
  });

  test.each([
    [
      "first" as const,
      [
        ["A", 1],
        ["B", 2],
      ],
    ],
    [
      "last" as const,
      [
        ["B", 2],
        ["A", 1],
      ],
    ],
  ])("--on-duplicate %s keeps that one and says so", async (onDuplicate, kept) => {
    const reading = await catalog(different, { onDuplicate });
    expect(rowsOf(reading).map(({ item }) => [item.codigo, item.precio])).toEqual(kept);
    expect(reading).toMatchObject({ read: 4, collapsed: 2, rejected: [] });
    expect(inWords(reading.notices)).toEqual([
      `2 rows with a repeated code left out. The ${onDuplicate} one counts.`,
    ]);
  });
});

describe('a cell that a spreadsheet is told to take as text, ="…"', () => {
  const header = "codigo;nombre;categoria;precio;Activo\n";
  const product = { codigo: "00123", nombre: "Pan", categoria: "1-2", precio: 10.5, deshabilitado: false };
  const cells = ["00123", "Pan", "1-2", "10,50", "si"];

  test.each([
    ["in quotation marks", (text: string) => `"=""${text}"""`],
    ["bare", (text: string) => `="${text}"`],
  ])("%s is what stands between the quotes", async (_, written) => {
    const row = (codigo: string) => [codigo, ...cells.slice(1)].map(written).join(";");
    const reading = await catalog(`${header}1;x;y;1,5;no\n${row("00123")}\n${row("00124")}\n`);
    expect(reading.rejected).toEqual([]);
    expect(rowsOf(reading).map(({ line, item }) => [line, item])).toEqual([
      [2, { codigo: "1", nombre: "x", categoria: "y", precio: 1.5, deshabilitado: true }],
      [3, product],
      [4, { ...product, codigo: "00124" }],
    ]);
  });

  test("is judged by what it holds", async () => {
    expect(await reasons('codigo;precio\n="";1\n="7,79123E+12";1\n3;="x"\n')).toEqual([
      "2: the code is empty: every product needs its own",
      '3: codigo: the spreadsheet lost digits of "7,79123E+12": format the column as text and export again',
      '4: precio "x" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
    ]);
  });

  test.each(['=""a""b""', "=A1", '=""a""&""b""', '=""a'])(
    "anything else stays as it is: %s is a name, and no code",
    async (text) => {
      const reading = await catalog(`codigo;nombre\n1;"${text}"\n"${text}";x\n`);
      expect(rowsOf(reading)[0]?.item.nombre).toBe(text.replaceAll('""', '"'));
      expect(reading.rejected.map(({ line, problem }) => [line, problem.kind])).toEqual([
        [3, "code_spoiled"],
      ]);
    },
  );
});

describe("booleans", () => {
  const disabled = async (word: string) =>
    (await items(`codigo;deshabilitado\n1;${word}\n`))[0]?.deshabilitado;

  test.each(["VERDADERO", "sí", "Si", "x", "1", "true", "SÍ".normalize("NFD")])("%s is yes", async (word) => {
    expect(await disabled(word)).toBe(true);
  });
  test.each(["no", "0", "FALSO", "false"])("%s is no", async (word) =>
    expect(await disabled(word)).toBe(false),
  );
  test("an empty cell is absent", async () => {
    expect(await items("codigo;deshabilitado\n1;\n")).toEqual([{ codigo: "1" }]);
  });
  test("anything else rejects the row", async () => {
    expect(await reasons("codigo;Activo\n1;quizás\n")).toEqual([
      '2: Activo "quizás" is neither yes nor no: write sí or no, or leave the cell empty',
    ]);
  });
});
