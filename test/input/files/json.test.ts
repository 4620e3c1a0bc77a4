import { createReadStream } from "node:fs";
import { describe, expect, it } from "vitest";
import { rejectedCsv, rejectedSheet } from "../../../src/cli/files/rejected-rows.ts";
import { listProblems } from "../../../src/errors/problems.ts";
import { rowProblemsWords } from "../../../src/errors/words/rows.ts";
import { maxFileBytes, openInput } from "../../../src/input/files/file.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { catalog, noInput, refusal, rowsOf } from "../support.ts";

async function rejectedOf(content: string) {
  const reading = await catalog(content);
  return {
    reading,
    rejected: [...rejectedCsv(reading.rejected, rejectedSheet(reading), textsIn("en"))].join(""),
  };
}

it("takes keys that come late, and objects that are unlike the others", async () => {
  const lines = [
    '{"codigo":"1","precio":1.50}',
    '{"precio":2,"codigo":"2"}',
    '{"codigo":"3","deshabilitado":true}',
  ];
  for (const content of [lines.join("\n"), `[${lines.join(",\n")}]`]) {
    const reading = await catalog(content);
    expect(reading.columns).toEqual(["codigo", "precio", "deshabilitado"]);
    expect(rowsOf(reading).map(({ line, item, cells }) => [line, item, cells])).toEqual([
      [1, { codigo: "1", precio: 1.5 }, ["1", "1.50", ""]],
      [2, { codigo: "2", precio: 2 }, ["2", "2", ""]],
      [3, { codigo: "3", deshabilitado: true }, ["3", "", "true"]],
    ]);
  }
});

describe("an object that is unlike the others", () => {
  const good = ['{"codigo":"1","precio":1}', '{"codigo":"2","precio":2}', '{"codigo":"3","precio":3}'];
  const said = async (lines: readonly string[], format: "json" | "ndjson") => {
    const content = format === "json" ? `[${lines.join(",")}]` : lines.join("\n");
    const { rejected } = await catalog(content, { format });
    return rejected.map((row) => [row.line, rowProblemsWords(listProblems(row), textsIn("en").t)]);
  };
  const differs = (key: string, usual: string) =>
    `has the key "${key}" where the others have "${usual}": rename it`;

  it.each([
    ['{"cod":"4","precio":4}', [differs("cod", "codigo")]],
    ['{"sku":"4","precio":4}', [differs("sku", "codigo")]],
    ['{"codigo":"4","price":4}', [differs("price", "precio")]],
    ['{"cod":"4","price":4}', [differs("cod", "codigo"), differs("price", "precio")]],
  ])("%s is a rejected row with its place, and the others are read", async (odd, problems) => {
    const lines = [...good.slice(0, 2), odd, ...good.slice(2)];
    const of = (where: string) => problems.map((problem) => `${where} ${problem}`).join(". Also: ");
    expect(await said(lines, "json")).toEqual([[1, of("element 3")]]);
    expect(await said(lines, "ndjson")).toEqual([[3, of("the object")]]);
    expect((await catalog(`[${lines.join(",")}]`)).items.length).toBe(3);
  });

  it("a key that is null wherever another one is there is no second column", async () => {
    const lines = good.map((line) => line.replace("{", '{"cod":null,"price":null,'));
    expect((await catalog(`[${lines.join(",")}]`)).rejected).toEqual([]);
  });

  it.each([
    ["both in one object", [...good, '{"codigo":"4","cod":"5"}']],
    ["as many of one as of the other", [...good.slice(0, 2), '{"cod":"4"}', '{"cod":"5"}']],
  ])("%s are two columns", async (_, lines) => {
    expect(await refusal(catalog(`[${lines.join(",")}]`))).toBe(
      'the columns "codigo" and "cod" both look like the codigo → Choose the right one: --map "codigo=codigo" or --map "codigo=cod".',
    );
  });

  it("is written to the rejected file under the names of the others, and held until somebody has looked at it", async () => {
    const { reading, rejected } = await rejectedOf(`[${[...good, '{"price":4,"cod":"4"}'].join(",")}]`);
    expect(rejected).toMatch(/^codigo,precio,error,/);
    expect(rejected).toMatch(/\n4,4,/);
    expect(reading.mapping.price).toBe(1);
    const again = await catalog(rejected);
    expect(again.rejected.map(({ problem }) => problem.kind)).toEqual(["row_held"]);
  });

  it("null is called null, and what is no object has its place", async () => {
    expect(await said([...good, "null", "7", '"x"'], "json")).toEqual([
      [1, 'element 4: "null" is not an object with named fields'],
      [1, 'element 5: "7" is not an object with named fields'],
      [1, 'element 6: "x" is not an object with named fields'],
    ]);
    expect(await said([...good, "null"], "ndjson")).toEqual([
      [4, '"null" is not an object with named fields'],
    ]);
  });
});

it("a document beyond its limit names NDJSON, which has none of its own", async () => {
  const utf8 = Buffer.alloc((256 << 20) + 1, " ");
  utf8.write('[{"codigo":"1"}');
  utf8.write("]", utf8.length - 1);
  expect(await refusal(catalog(utf8))).toBe(
    "it is one JSON document of more than 256 MiB → Export it as NDJSON, one object per line, or split it.",
  );
});

it.each(["/dev/zero", "/dev/urandom"])(
  "%s ends at its first block, as a file and as standard input",
  async (path) => {
    for (const input of [openInput(path, noInput, "/"), openInput("-", createReadStream(path), "/")]) {
      const { bytes } = await input;
      expect(bytes.length).toBeLessThan(1 << 20);
      expect(await refusal(catalog(bytes))).toContain("it is a binary file, not text");
    }
  },
);

it("text that never ends stops at a limit, which is said", async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    const block = Buffer.alloc(1 << 20, "y\n");
    for (; ; given += block.length) yield Promise.resolve(block);
  }
  expect(await refusal(openInput("-", endless(), "/"))).toBe(
    "it is larger than 512 MiB, or never ends → Split it into several files.",
  );
  expect(given).toBeLessThanOrEqual(maxFileBytes);
});

it("UTF-16 is no binary file, with its mark or with --encoding", async () => {
  async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    yield Promise.resolve(bytes);
    yield Promise.resolve(bytes.subarray(2));
  }
  const marked = Buffer.from("\ufeffcodigo\n1\n", "utf16le");
  expect((await openInput("-", once(marked), "/")).bytes).toHaveLength(marked.length * 2 - 2);
  const bare = Buffer.from("codigo\n1\n", "utf16le");
  expect((await openInput("-", once(bare), "/", { encoding: "utf-16le" })).bytes).toHaveLength(
    bare.length * 2 - 2,
  );
});
