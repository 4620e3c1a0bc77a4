import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diagnosis } from "../../support/doctor.ts";
import { inShort, lineOf, papers, stockedKitchen } from "../../support/stations.ts";
import { virtualPrinter } from "../../support/virtual-printer.ts";

it("orders show --print prints at each station its part, as a reprint, and at another printer the whole", async () => {
  const { run, printers, place, home } = await stockedKitchen();
  const id = await place(lineOf("P1", "Muzza"), lineOf("P2", "Fugazzeta"));
  const show = ["orders", "show", String(id), "--print"];
  const { code, stderr } = await run(show);
  expect([code, papers(printers.cocina).map(inShort)]).toEqual([0, [`R${id}: Muzza Fugazzeta`]]);
  expect(papers(printers.caja).map(inShort)).toEqual([`R${id}: Muzza Fugazzeta`]);
  expect(papers(printers.cocina)[0]).not.toContain("TOTAL");
  expect(papers(printers.barra)).toEqual([]);
  expect(stderr).toBe(
    ["cocina", "caja"]
      .map((name) => `El pedido ${id} se mandó a ${name} (${printers[name as "caja"].url}).\n`)
      .join(""),
  );

  const map = join(home, "mapa.csv");
  writeFileSync(map, "codigo,estacion\nP1,barra\n");
  expect((await run([...show, "--station-map", map])).code).toBe(0);
  expect(papers(printers.barra).map(inShort)).toEqual([`R${id}: Muzza`]);

  const spare = await virtualPrinter();
  await run([...show, "--printer", spare.url]);
  expect(papers(spare).map(inShort)).toEqual([`R${id}: Muzza Fugazzeta`]);
  expect(papers(printers.barra)).toHaveLength(1);
  const idle = await run(["orders", "show", String(id), "--station-map", map]);
  expect(idle).toMatchObject({ code: 2, stderr: expect.stringContaining("--print") as string });
});

it("each command that tries printers tells of every station, also where one is off", async () => {
  const { run, printers, stations, write, place } = await stockedKitchen();
  const id = await place(lineOf("P1", "Muzza"));
  write([{ ...stations[0], printer: "tcp://127.0.0.1:1" }, ...stations.slice(1)]);
  const shown = await run(["orders", "show", String(id), "--print"]);
  expect([shown.code, papers(printers.caja)]).toMatchObject([6, [expect.stringContaining("Muzza")]]);
  expect(shown.stderr).toContain("tcp://127.0.0.1:1");

  const tested = await run(["printer", "test"]);
  expect(tested.code).toBe(6);
  expect(tested.stdout).toContain(`barra (${printers.barra.url})`);
  expect(tested.stdout).not.toContain("cocina");
  expect(papers(printers.barra)[0]).toMatch(/^ *barra\n/);
  const { stdout } = await run(["printer", "test", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    stations: [
      { name: "barra", printer: printers.barra.url },
      { name: "caja", printer: printers.caja.url },
    ],
  });

  const checks = diagnosis(await run(["doctor", "--json", "--lang", "en"]));
  expect(checks.failed).toEqual(["printer"]);
  const text = (await run(["doctor"])).stdout;
  expect(text).toContain(`barra: ${printers.barra.url} acepta conexiones`);
  write([{ name: "cocina", printer: "usb" }]);
  const unusable = diagnosis(await run(["doctor", "--json"]));
  expect(unusable).toMatchObject({ code: 2, failed: ["printer"] });
});
