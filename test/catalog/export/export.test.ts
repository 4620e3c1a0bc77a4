import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callsOf, fileOf, parse } from "../../support/push.ts";
import { listFile, randomList } from "../../support/random-lists.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { realService } from "../../support/service.ts";
import { randomOf, seed, sized } from "../../support/soak.ts";

it(`a file that push takes back without a difference, whatever was pushed (seed ${seed})`, async () => {
  const random = randomOf("export");
  for (let world = 0; world < sized(1, 25); world++) {
    const { mock, env } = await realService({ scenario: "empty" });
    const run = shell({ env, cwd: temporaryFolder() });
    for (let turn = 0; turn < 3; turn++) {
      const deletes = ["--changed-only", "--deactivate-missing", "--max-deactivate", "100%"];
      const flags = random() < 0.5 ? deletes : [];
      const pushed = await run(["catalog", "push", listFile(randomList(random)), ...flags]);
      expect(pushed.code, pushed.stderr).toBe(0);
    }
    const calls = (await callsOf(mock)).length;
    for (const ending of ["csv", "xlsx", "json", "ndjson"])
      for (const lang of ["en", "es"]) {
        const file = `list-${lang}.${ending}`;
        const exported = await run(["catalog", "export", file, "--json", "--lang", lang]);
        expect(exported.code, exported.stderr).toBe(0);
        const { products } = JSON.parse(exported.stdout) as { products: number };
        const again = await run(["catalog", "push", file, "--changed-only", "--json"]);
        expect(parse(again.stdout), again.stderr).toMatchObject({
          read: products,
          sent: 0,
          unchanged: products,
        });
        expect((await run(["catalog", "diff", file, "--exit-code"])).code).toBe(0);
      }
    expect(await callsOf(mock)).toHaveLength(calls);
  }
}, 60_000);

it("is a CSV as a spreadsheet in the profile's language expects it, without what is deactivated", async () => {
  const { env } = await realService({ scenario: "empty" });
  const run = shell({ env, cwd: temporaryFolder() });
  const list = [
    { codigo: "001", nombre: "Agua", precio: 1.25 },
    { codigo: "B", nombre: "Bife", precio: 2.125 },
    { codigo: "C", nombre: "Café", precio: 3 },
  ];
  await run(["catalog", "push", listFile(list)]);
  await run(["catalog", "delete", "C"]);
  const folder = temporaryFolder();
  const file = join(folder, "list.csv");
  const { code, stdout } = await run(["catalog", "export", file]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/holds 2 products, ready to push\.\n1 product is deactivated and left out\.\n$/);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^\ufeffcodigo[;,]nombre[;,]precio\r\n001[;,]Agua/);
  expect(await run(["catalog", "export", file])).toMatchObject({ code: 2 });
  expect((await run(["catalog", "export", file, "--force"])).code).toBe(0);
  expect((await run(["catalog", "export", "list.txt"])).code).toBe(2);
});

it("leaves out what nobody knows the outcome of, says so, and writes nothing of an empty journal", async () => {
  const { mock, env } = await realService({ scenario: "empty" });
  const folder = temporaryFolder();
  const run = shell({ env, cwd: folder });
  const none = await run(["catalog", "export", "none.json"]);
  expect(none).toMatchObject({ code: 3, stdout: expect.stringContaining("Nothing was written") as string });
  await run(["catalog", "push", fileOf("codigo,nombre,precio", "A,Agua,1", "B,Bife,2")]);
  await mock.control.addFault("POST /v1/catalog/items drop times=9");
  expect((await run(["catalog", "push", fileOf("codigo,precio", "B,3"), "--retries", "0"])).code).toBe(7);
  const { code, stderr, stdout } = await run(["catalog", "export", "list.json", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ products: 1, left_out: { deactivated: 0, uncertain: 1 } });
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("1 product left out") as string,
  });
});

it("refuses a file that would not read back, and names the product", async () => {
  const { env } = await realService({ scenario: "empty" });
  const folder = temporaryFolder();
  const run = shell({ env, cwd: folder });
  await run(["catalog", "push", listFile([{ codigo: "A", nombre: "a\u0007b", precio: 3 }])]);
  const refused = await run(["catalog", "export", "list.csv"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('"A" would not read back');
  expect((await run(["catalog", "export", "list.ndjson"])).code).toBe(0);
});
