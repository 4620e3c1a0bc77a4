import { describe, expect, it } from "vitest";
import { catalog, items, reasons, refusal } from "../support.ts";

describe("a code", () => {
  it.each([
    ['"003" ;Pan;5', "003"],
    [' "003";Pan;5', "003"],
    ['"0 03";"a ; b" ;5', "0 03"],
  ])("of %j has no quotes that only held it", async (row, codigo) => {
    expect(await items(`codigo;nombre;precio\n${row}\n"x";y;1\n`)).toMatchObject([
      { codigo },
      { codigo: "x" },
    ]);
  });

  it("whose quotes cannot be made out is refused, a name with an inch mark is not", async () => {
    const text = 'codigo;nombre\n"003"x";Pan\nT3;Tornillo 3"\n';
    expect(await items(text)).toEqual([{ codigo: "T3", nombre: 'Tornillo 3"' }]);
    expect(await reasons(text)).toHaveLength(1);
  });

  it("that holds a line break is refused: two may have become one", async () => {
    expect(await items("codigo\nA\rB\r\nC\r\n")).toEqual([{ codigo: "C" }]);
    expect(await reasons("codigo\nA\rB\r\nC\r\n")).toEqual([expect.stringContaining("line break")]);
  });
});

it("the end mark of a DOS file is no row", async () => {
  const reading = await catalog("codigo;precio\r\nA;1\r\n\u001a");
  expect([reading.read, reading.rejected]).toEqual([1, []]);
});

it("a second list in a JSON document is not lost without a word", async () => {
  const text = '{"items":[{"codigo":"A"}],"total":1,"items":[{"codigo":"B"}]}';
  expect(await refusal(catalog(text))).toContain('"items" appears twice');
  expect(await items('{"items":[{"codigo":"A"}],"note":"items","x":["items"]}')).toEqual([{ codigo: "A" }]);
});
