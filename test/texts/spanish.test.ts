import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrap } from "../../src/cli/display/text.ts";
import { foreignWords } from "../support/foreign-words.ts";
import { parse } from "../support/push.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { listening } from "../support/server.ts";
import { pointedAt, service } from "../support/service.ts";

it("what the system says of a connection is said in Spanish, with its own text beside it", async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const run = shell({ env: pointedAt(`http://127.0.0.1:${port}`) });
  const argv = ["orders", "list", "--retries", "0"];
  const { code, stderr } = await run([...argv, "--lang", "es"]);
  expect(code).toBe(6);
  expect(stderr).toContain(`se rechazó la conexión (connect ECONNREFUSED 127.0.0.1:${port})`);
  const { error } = JSON.parse((await run([...argv, "--lang", "es", "--json"])).stderr) as {
    error: Record<string, unknown>;
  };
  expect(error["detail"]).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
});

it("an order that a mock does not have is said as everywhere else", async () => {
  const { mock } = await service({ scenario: "empty" });
  const argv = ["mock", "orders", "set", "99", "listo", "--url", mock.baseUrl];
  const { code, stderr } = await shell()([...argv, "--lang", "es"]);
  expect(code).toBe(11);
  expect(stderr).toContain("No existe el pedido 99.");
  expect((await shell()(argv)).stderr).toContain("Order 99 not found.");
});

it("one product has a verb of its own", async () => {
  const { env } = await service({ scenario: "empty" });
  const file = join(temporaryFolder(), "precios.csv");
  writeFileSync(file, "codigo,nombre,precio\nA,Agua,1\n");
  const run = shell({ env: { ...env, BPOS_LANG: "es" } });
  const shown = async (...argv: string[]) => (await run(["catalog", ...argv, "--dry-run"])).stdout;
  expect(await shown("delete", "A")).toContain("Se daría de baja 1 producto");
  expect(await shown("delete", "A", "B")).toContain("Se darían de baja 2 productos");
  expect(await shown("push", file)).toContain("Se mandaría 1 producto");
});

it("no line ends between a currency and its amount", () => {
  const amount = fc.constantFrom("$ 8.900,00", "US$ 12,50", "R$ 7", "8.900,00 €", "MXN 8,900.00", "Gs. 900");
  const word = fc.constantFrom("a", "precio", "de", "subió", "→");
  const words = fc.array(fc.tuple(word, amount), { maxLength: 20 }).map((pairs) => pairs.flat());
  fc.assert(
    fc.property(words, fc.integer({ min: 14, max: 60 }), (all, width) => {
      const text = all.join(" ");
      const lines = wrap(text, width);
      expect(lines.join(" ").replace(/ +/g, " ")).toBe(text.replace(/ +/g, " "));
      for (const each of all.filter((word) => /\d.*[ ].*|[ ].*\d/.test(word)))
        expect(lines.join("\n").includes(each.replace(" ", "\n"))).toBe(false);
    }),
  );
});

describe("what bpos wrote in Spanish", () => {
  const spanish = async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const folder = temporaryFolder();
    const file = (name: string, ...lines: string[]): string => {
      writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
      return join(folder, name);
    };
    return {
      mock,
      run: shell({ env: { ...env, BPOS_LANG: "es" } }),
      file,
      path: (name: string) => join(folder, name),
    };
  };

  it("as rejected.csv is rejected again as it is, and taken once it is corrected", async () => {
    const { mock, run, file, path } = await spanish();
    const list = file("p.csv", "codigo,nombre,precio", "A,Zzyx,1", "B,Brqx,consultar", "C,Kjh");
    const rejected = path("rechazados.csv");
    const push = (name: string, ...more: string[]) => run(["catalog", "push", name, "--json", "-q", ...more]);
    expect(parse((await push(list, "--rejected", rejected)).stdout)).toMatchObject({ sent: 1 });
    const text = readFileSync(rejected, "utf8");
    expect(text).toMatch(/no es un precio[\s\S]*y después borra la celda de la derecha/);
    expect(foreignWords(text, "es")).toEqual([]);
    const asItIs = await push(rejected);
    expect([asItIs.code, parse(asItIs.stdout).sent]).toEqual([3, 0]);
    const filled = text.replace("consultar", "20").replace("C,Kjh,", "C,Kjh,30");
    // The row is complete, and its cell still tells that it is not.
    writeFileSync(rejected, filled);
    expect(parse((await push(rejected)).stdout)).toMatchObject({ sent: 1, rejected: [{ line: 3 }] });
    writeFileSync(rejected, filled.replace(",incomplete", ","));
    expect((await push(rejected)).code).toBe(0);
    const prices = (await mock.control.catalog("demo")).map(({ codigo, precio }) => [codigo, precio]);
    expect(prices).toEqual([
      ["A", 1],
      ["B", 20],
      ["C", 30],
    ]);
  });
});
