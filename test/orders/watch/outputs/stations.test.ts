import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  editedKitchen,
  inShort,
  lineOf,
  ordered,
  papers,
  stockedKitchen,
} from "../../../support/stations.ts";
import { virtualPrinter } from "../../../support/virtual-printer.ts";
import { watchOnce } from "../../../support/watch.ts";

const muzza = lineOf("P1", "Muzza", 2, "sin aceitunas");
const fugazzeta = lineOf("P2", "Fugazzeta");
const coca = lineOf("B1", "Coca");
const flan = lineOf("X1", "Flan");

describe("orders watch --printer at the stations of the profile", () => {
  it("prints each line where its category is, and at every station what no station has", async () => {
    const { run, printers, place } = await stockedKitchen();
    const one = await place(muzza, coca);
    const two = await place(coca, flan, lineOf(null, "Nadie"));
    const three = await place(fugazzeta);
    expect(await watchOnce(run, "--printer", "--drawer=always")).toMatchObject({ code: 0, stderr: "" });
    const { cocina, barra, caja } = printers;
    expect(papers(cocina).map(inShort)).toEqual([
      `${one}: Muzza`,
      `${two}: Flan Nadie`,
      `${three}: Fugazzeta`,
    ]);
    expect(papers(barra).map(inShort)).toEqual([`${one}: Coca`, `${two}: Coca Flan Nadie`]);
    expect(papers(caja).map(inShort)).toEqual([
      `${one}: Muzza Coca`,
      `${two}: Coca Flan Nadie`,
      `${three}: Fugazzeta`,
    ]);
    for (const word of [
      "cocina",
      "Estación 1 de 3 - también: barra, caja",
      "+ sin aceitunas",
      `PEDIDO ${one}`,
    ])
      expect(papers(cocina)[0]).toContain(word);
    // A part has no total; where everything is, somebody collects, and the money is.
    expect([papers(cocina)[0], papers(caja)[0]].map((paper) => paper?.includes("TOTAL"))).toEqual([
      false,
      true,
    ]);
    expect([cocina.receipts[0]?.acts, caja.receipts[0]?.acts]).toEqual([["cut"], ["drawer", "cut"]]);
    expect((await watchOnce(run, "--printer")).code).toBe(0);
    expect(papers(barra)).toHaveLength(2);
  });

  it("prints what a printer without paper owes once it has some, and holds up no other station", async () => {
    const { run, printers, place } = await stockedKitchen();
    printers.barra.mode.state = "paper_out";
    const [one, two] = [await place(muzza, coca), await place(muzza)];
    const failed = await watchOnce(run, "--printer");
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain(printers.barra.url);
    expect(papers(printers.cocina).map(inShort)).toEqual([`${one}: Muzza`, `${two}: Muzza`]);
    // The order of which it has no part is not among what it owes.
    const { stdout } = await run(["status", "--jq", "[.branches[0].outputs[].undelivered]"]);
    expect(JSON.parse(stdout)).toEqual([1, 0, 0, 0]);
    printers.barra.repair();
    expect((await watchOnce(run, "--printer")).code).toBe(0);
    expect(papers(printers.barra).map(inShort)).toEqual([`${one}: Coca`]);
    expect(papers(printers.cocina)).toHaveLength(2);
  });

  it("keeps an order where it was routed first, though the catalog changes before the last station prints", async () => {
    const { run, printers, place, home } = await stockedKitchen();
    printers.barra.mode.state = "paper_out";
    const one = await place(muzza, coca);
    await watchOnce(run, "--printer");
    const moved = join(home, "otra.csv");
    writeFileSync(moved, "codigo,categoria\nB1,Pizzas\nP1,Bebidas\n");
    expect((await run(["catalog", "push", moved])).code).toBe(0);
    printers.barra.repair();
    await watchOnce(run, "--printer");
    expect(papers(printers.barra).map(inShort)).toEqual([`${one}: Coca`]);
    expect(papers(printers.cocina).map(inShort)).toEqual([`${one}: Muzza`]);
    const two = await place(muzza, coca);
    await watchOnce(run, "--printer");
    expect(papers(printers.barra).map(inShort)[1]).toBe(`${two}: Muzza`);
  });

  it("gives what a removed station has not printed to the others, and says so", async () => {
    const { run, printers, place, stations, write } = await stockedKitchen();
    for (const each of [printers.barra, printers.caja]) each.mode.state = "paper_out";
    const one = await place(muzza, coca);
    await watchOnce(run, "--printer");
    write([stations[0]]);
    const second = await watchOnce(run, "--printer");
    expect(second.stderr).toMatch(
      /1 entrega pendiente para la estación barra.*\n.*1 entrega pendiente para la estación caja/,
    );
    expect(papers(printers.cocina).map(inShort)).toEqual([`${one}: Muzza`, `${one}: Coca`]);
    const { stdout } = await run(["status", "--json"]);
    expect(stdout).not.toContain("printer:barra");
  });

  it("follows a station that was renamed, also with the slip of an order that is cancelled", async () => {
    const { run, printers, place, stations, write, mock } = await stockedKitchen();
    printers.barra.mode.state = "paper_out";
    const one = await place(muzza, coca);
    await watchOnce(run, "--printer");
    await mock.control.setOrderStatus(one, "cancelado");
    await watchOnce(run, "--printer");
    const bar = await virtualPrinter();
    write([stations[0], { name: "bar", printer: bar.url, categories: ["Bebidas"] }, stations[2]]);
    await watchOnce(run, "--printer");
    expect(papers(bar).map(inShort)).toEqual([`${one}: Coca`, `C${one}: Coca`]);
    expect(papers(printers.cocina).map(inShort).slice(0, 2)).toEqual([`${one}: Muzza`, `C${one}: Muzza`]);
  });

  it("loses no line where several stations of an order are renamed at once", async () => {
    const { run, printers, place, stations, write } = await stockedKitchen();
    for (const each of [printers.cocina, printers.barra]) each.mode.state = "paper_out";
    write(stations.slice(0, 2));
    const one = await place(muzza, coca);
    await watchOnce(run, "--printer");
    const [kitchen, bar] = [await virtualPrinter(), await virtualPrinter()];
    write([
      { name: "kitchen", printer: kitchen.url, categories: ["Pizzas"] },
      { name: "bar", printer: bar.url, categories: ["Bebidas"] },
    ]);
    expect((await watchOnce(run, "--printer")).code).toBe(0);
    expect([papers(kitchen), papers(bar)].map((all) => all.map(inShort))).toEqual([
      [`${one}: Muzza`],
      [`${one}: Coca`],
    ]);
  });

  it("prints at the stations what a single printer had not printed, as a reprint where it may have", async () => {
    const { run, printers, place } = await stockedKitchen();
    const single = await virtualPrinter({ resetAfter: 200 });
    const one = await place(muzza, coca);
    expect((await watchOnce(run, "--printer", single.url)).code).toBe(3);
    expect((await watchOnce(run, "--printer")).code).toBe(0);
    expect(papers(printers.cocina).map(inShort)).toEqual([`R${one}: Muzza`]);
    expect(papers(printers.barra).map(inShort)).toEqual([`R${one}: Coca`]);
  });

  it("prints at a spare printer, as a whole, what waits for stations, and nothing of it at them again", async () => {
    const { run, printers, place, stations, write } = await stockedKitchen();
    write(stations.slice(0, 2));
    printers.cocina.mode.state = "paper_out";
    const [one, two] = [await place(muzza), await place(muzza, coca)];
    await watchOnce(run, "--printer");
    expect(papers(printers.barra).map(inShort)).toEqual([`${two}: Coca`]);
    const spare = await virtualPrinter();
    const second = await watchOnce(run, "--printer", spare.url);
    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("la estación cocina") as string,
    });
    const three = await place(muzza, coca);
    await watchOnce(run, "--printer", spare.url);
    expect(papers(spare).map(inShort)).toEqual([
      `${one}: Muzza`,
      `R${two}: Muzza Coca`,
      `${three}: Muzza Coca`,
    ]);
    printers.cocina.repair();
    const four = await place(muzza, coca);
    await watchOnce(run, "--printer");
    expect(papers(printers.cocina).map(inShort)).toEqual([`${four}: Muzza`]);
    expect(papers(printers.barra).map(inShort)).toEqual([`${two}: Coca`, `${four}: Coca`]);
  });

  it("gives an output that is added what no station has printed, whichever of them has no part of it", async () => {
    const { home, run, printers, place, stations, write } = await stockedKitchen();
    write(stations.slice(0, 2));
    printers.cocina.mode.state = "paper_out";
    const one = await place(muzza);
    await watchOnce(run, "--printer");
    const folder = join(home, "pedidos");
    await watchOnce(run, "--printer", "--out-dir", folder);
    expect(readdirSync(folder)).toEqual([expect.stringContaining(String(one))]);
  });

  it("loses nothing between stations and a spare printer that is off, too", async () => {
    const { run, printers, place, stations, write } = await stockedKitchen();
    write(stations.slice(0, 2));
    printers.cocina.mode.state = "paper_out";
    const one = await place(muzza, coca);
    await watchOnce(run, "--printer");
    const spare = await virtualPrinter();
    spare.mode.state = "paper_out";
    await watchOnce(run, "--printer", spare.url);
    printers.cocina.repair();
    await watchOnce(run, "--printer");
    expect(papers(printers.cocina).map(inShort)).toEqual([`R${one}: Muzza`]);
    expect(papers(printers.barra).map(inShort)).toEqual([`${one}: Coca`, `R${one}: Coca`]);
  });

  it("gives a new station its part of an order that no station has begun, whatever other outputs have got", async () => {
    const { home, run, printers, place, stations, write } = await stockedKitchen();
    write([stations[0]]);
    printers.cocina.mode.state = "paper_out";
    await place(muzza);
    const one = await place(muzza, coca);
    // The printer is down from the first one on: nothing of the second is begun.
    await watchOnce(run, "--printer", "--out-dir", home);
    write(stations.slice(0, 2));
    printers.cocina.repair();
    await watchOnce(run, "--printer", "--out-dir", home);
    expect(papers(printers.barra).map(inShort)).toEqual([`${one}: Coca`]);
  });

  it("lets two stations with one printer wait for each other, and prints copies", async () => {
    const { run, printers, place, stations, write } = await stockedKitchen();
    const { url } = printers.cocina;
    write([
      { ...stations[0], copies: 2 },
      { ...stations[1], printer: url },
    ]);
    printers.cocina.mode.slowMs = 20;
    const one = await place(muzza, coca);
    expect((await watchOnce(run, "--printer", "--beep")).code).toBe(0);
    expect(papers(printers.cocina).map(inShort).toSorted()).toEqual([
      `${one}: Coca`,
      `${one}: Muzza`,
      `${one}: Muzza`,
    ]);
    expect(printers.cocina.jobs).toHaveLength(2);
    expect(printers.cocina.receipts.flatMap(({ acts }) => acts).filter((act) => act === "beep")).toHaveLength(
      2,
    );
  });

  it("says at every station what to collect where none prints everything, and opens one drawer", async () => {
    const { run, printers, place, stations, write } = await stockedKitchen();
    write(stations.slice(0, 2));
    await place(muzza, coca);
    await place(coca);
    expect((await watchOnce(run, "--printer", "--drawer=always")).code).toBe(0);
    const { cocina, barra } = printers;
    for (const paper of [...papers(cocina), ...papers(barra)]) {
      expect(paper).toContain("TOTAL");
      expect(paper).toContain("COBRAR");
    }
    expect([cocina, barra].map(({ receipts }) => receipts.map(({ acts }) => acts))).toEqual([
      [["drawer", "cut"]],
      [["cut"], ["drawer", "cut"]],
    ]);
  });

  it("follows --station-map before the catalog", async () => {
    const { run, printers, place, home } = await stockedKitchen();
    const map = join(home, "mapa.csv");
    writeFileSync(map, "codigo,station\nX1,barra\nP1,barra\nP1,cocina\n");
    const one = await place(muzza, coca, flan);
    expect((await watchOnce(run, "--printer", "--station-map", map)).code).toBe(0);
    expect(papers(printers.cocina).map(inShort)).toEqual([`${one}: Muzza`]);
    expect(papers(printers.barra).map(inShort)).toEqual([`${one}: Muzza Coca Flan`]);
  });
});

describe("an order that is edited or cancelled at the service", () => {
  it("is a ticket CAMBIÓ at the stations concerned, with what was added and removed", async () => {
    const order = ordered(7, [muzza, coca]);
    const { run, printers, map } = await editedKitchen([order]);
    const watch = () => watchOnce(run, "--printer", "--station-map", map);
    await watch();
    Object.assign(order, ordered(7, [{ ...muzza, cantidad: 3 }, coca]));
    expect(await watch()).toMatchObject({ code: 0, stderr: "" });
    expect(papers(printers.cocina).map(inShort)).toEqual(["7: Muzza", "E7: Muzza"]);
    expect(papers(printers.cocina)[1]).toMatch(
      /AGREGADO\n\+ 1 × Muzza\n +\+ sin aceitunas\n─+\nEl pedido para esta estación queda así:\n3 × Muzza/,
    );
    expect(papers(printers.barra)).toHaveLength(1);
    expect(papers(printers.caja).map(inShort)).toEqual(["7: Muzza Coca", "E7: Muzza Coca"]);
    // Whoever collects sees what each line costs.
    expect(papers(printers.caja)[1]).toMatch(/queda así:\n3 × Muzza +\$\s?\d/);

    Object.assign(order, ordered(7, [{ ...muzza, cantidad: 3 }, fugazzeta]));
    await watch();
    expect(papers(printers.barra)[1]).toMatch(/QUITADO\n- 1 × Coca\n─+\nNo queda nada para esta estación/);
    expect(papers(printers.cocina)[2]).toMatch(/AGREGADO\n\+ 1 × Fugazzeta\n─+\nEl pedido/);
  });

  it("is printed again at every station that has a part of it, where who gets it or how changed", async () => {
    const order = ordered(7, [muzza]);
    const { run, printers, map } = await editedKitchen([order]);
    const watch = () => watchOnce(run, "--printer", "--station-map", map);
    await watch();
    order["delivery_type"] = "delivery";
    await watch();
    expect(papers(printers.cocina).map(inShort)).toEqual(["7: Muzza", "M7: Muzza"]);
    expect(papers(printers.barra)).toEqual([]);
    // A price is of no account in a kitchen.
    Object.assign(order, { total: 1, pago: { modo: "en_entrega", pagado: false, monto: 1 } });
    await watch();
    expect(papers(printers.cocina)).toHaveLength(2);
    expect(papers(printers.caja).map(inShort)).toEqual(["7: Muzza", "M7: Muzza", "M7: Muzza"]);
    order["status"] = "cancelado";
    await watch();
    expect(papers(printers.cocina).map(inShort)[2]).toBe("C7: Muzza");
    expect(papers(printers.barra)).toEqual([]);
  });

  it.each(["before", "after"])("is known to a station that was renamed %s it got the order", async (when) => {
    const order = ordered(7, [muzza, coca]);
    const { run, printers, map, write, stations } = await editedKitchen([order]);
    const watch = () => watchOnce(run, "--printer", "--station-map", map);
    if (when === "before") printers.cocina.mode.state = "paper_out";
    await watch();
    const kitchen = await virtualPrinter();
    writeFileSync(map, "codigo;station\nP1;kitchen\nB1;barra\n");
    write([{ name: "kitchen", printer: kitchen.url, categories: ["Pizzas"] }, ...stations.slice(1)]);
    await watch();
    Object.assign(order, ordered(7, [{ ...muzza, cantidad: 3 }, coca]));
    await watch();
    order["status"] = "cancelado";
    await watch();
    expect(papers(kitchen).map(inShort)).toEqual([
      ...(when === "before" ? ["7: Muzza"] : []),
      "E7: Muzza",
      "C7: Muzza",
    ]);
    expect(papers(printers.barra).map(inShort)).toEqual(["7: Coca", "C7: Coca"]);
  });

  it("is once at each of the other stations where one that has not printed it is removed", async () => {
    const order = ordered(7, [muzza, coca]);
    const { run, printers, map, write, stations } = await editedKitchen([order]);
    const watch = () => watchOnce(run, "--printer", "--station-map", map);
    await watch();
    for (const each of [printers.cocina, printers.caja]) each.mode.state = "paper_out";
    Object.assign(order, ordered(7, [muzza, coca, fugazzeta]));
    await watch();
    writeFileSync(map, "codigo;station\nB1;barra\n");
    write(stations.slice(1));
    printers.caja.repair();
    expect((await watch()).code).toBe(0);
    expect(papers(printers.caja)[1]).toMatch(/AGREGADO\n\+ 1 × Fugazzeta\n─+/);
    expect(papers(printers.barra)[1]).toMatch(/AGREGADO\n\+ 1 × Fugazzeta\n─+/);
    expect([papers(printers.barra), papers(printers.caja)].map(({ length }) => length)).toEqual([2, 2]);
  });

  it("adds up fractions as they were written", async () => {
    const order = ordered(7, [
      { ...muzza, cantidad: 0.1 },
      { ...muzza, cantidad: 0.2 },
    ]);
    const { run, printers, map } = await editedKitchen([order]);
    const watch = () => watchOnce(run, "--printer", "--station-map", map);
    await watch();
    Object.assign(order, ordered(7, [{ ...muzza, cantidad: 0.3 }, coca]));
    await watch();
    expect(papers(printers.cocina)).toHaveLength(1);
    expect(papers(printers.barra)[0]).toMatch(/AGREGADO\n\+ 1 × Coca/);
    Object.assign(order, ordered(7, [{ ...muzza, cantidad: 0.7 }, coca]));
    await watch();
    expect(papers(printers.cocina)[1]).toMatch(/AGREGADO\n\+ 0,4 × Muzza/);
  });

  it("of which a single printer printed the order is a whole ticket at every station", async () => {
    const order = ordered(7, [muzza]);
    const { run, printers, map } = await editedKitchen([order]);
    const single = await virtualPrinter();
    await watchOnce(run, "--printer", single.url);
    await watchOnce(run, "--printer", "--station-map", map);
    Object.assign(order, ordered(7, [muzza, coca]));
    await watchOnce(run, "--printer", "--station-map", map);
    expect(papers(printers.cocina).map(inShort)).toEqual(["M7: Muzza"]);
    expect(papers(printers.barra).map(inShort)).toEqual(["M7: Coca"]);
  });
});
