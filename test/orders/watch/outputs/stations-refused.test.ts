import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { routeProduct, toStations } from "../../../../src/printing/stations.ts";
import { stockedKitchen } from "../../../support/stations.ts";

it("a map of which no row is for this branch leaves the product to its category", () => {
  const station = (name: string, category: string) => ({ name, printer: "lp:x", categories: [category] });
  const stations = toStations([station("cocina", "Pizzas"), station("barra", "Bebidas")]);
  const product = { codigo: "P1", categoria: "Pizzas" };
  const names = (...mapped: string[]) => routeProduct(stations, product, new Map([["P1", mapped]])).names;
  expect([names("horno"), names("horno", "barra")]).toEqual([["cocina"], ["barra"]]);
});

describe("stations that cannot be used", () => {
  const cocina = { name: "cocina", printer: "tcp://127.0.0.1:9", categories: ["Pizzas"] };
  it.each([
    [{}, "lista"],
    [[7], "stations[0]"],
    [[cocina, { ...cocina, name: "Cocína" }], "stations[1] (Cocína)"],
    [[{ ...cocina, name: "../x" }], "stations[0] (../x)"],
    [[{ name: "cocina", categories: ["a"] }], "impresora"],
    [[{ ...cocina, printer: "192.168.1.50" }], "192.168.1.50"],
    [[{ ...cocina, categories: "Pizzas" }], "categories"],
    [[{ ...cocina, categories: [] }], "everything"],
    [[{ ...cocina, everything: "yes" }], "everything"],
    [[{ ...cocina, copies: 0 }], "copies"],
    [[{ ...cocina, copy: 2 }], "copy"],
  ])("%j: names the entry, before anything is read", async (own, word) => {
    const { run, mock, write } = await stockedKitchen();
    write(own);
    const before = (await mock.control.requests()).length;
    const result = await run(["orders", "watch", "--printer"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("profiles.centro.stations");
    expect(result.stderr).toContain(word);
    expect((await mock.control.requests()).length).toBe(before);
  });

  it("nor can a map that names another station, or has no such column", async () => {
    const { run, home } = await stockedKitchen();
    const map = join(home, "mapa.csv");
    const watch = () => run(["orders", "watch", "--printer", "--station-map", map]);
    writeFileSync(map, "codigo,station\nP1,cocina\nB1,bara\n");
    const unknown = await watch();
    expect([unknown.code, /línea 3.*"bara".*\n.*barra/.test(unknown.stderr)]).toEqual([2, true]);
    writeFileSync(map, "codigo,lugar\nP1,cocina\n");
    expect((await watch()).stderr).toContain("station");
    let sleeping = 0;
    const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
      sleeping += 1;
      await delay(Math.min(ms, 1_000), undefined, { signal }).catch(() => undefined);
      sleeping -= 1;
    };
    const line = ["orders", "watch", "--printer", "--station-map", map];
    const onTerminal = await run(line, { terminal: 80, clock: { now: () => Date.now(), sleep } });
    // Whatever still draws would keep the process alive.
    expect([onTerminal.code, sleeping]).toEqual([2, 0]);
    const alone = await run(["orders", "watch", "--printer", "tcp://127.0.0.1:9", "--station-map", map]);
    expect([alone.code, alone.stderr.includes("--station-map")]).toEqual([2, true]);
  });
});
