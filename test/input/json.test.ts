import { createReadStream } from "node:fs";
import { expect, it } from "vitest";
import { maxFileBytes, openInput } from "../../src/input/file.ts";
import { catalog, noInput, refusal, rowsOf } from "./support.ts";

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
