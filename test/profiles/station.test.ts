import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home } from "../support/profiles.ts";
import { catalogRows, lineOf, papers, stockedKitchen } from "../support/stations.ts";
import { watchOnce } from "../support/watch.ts";

const add = "profile station add";
const centro = { base_url: "http://127.0.0.1:9", api_key: "bpk_test_secret_0123456789" };

describe("bpos profile station", () => {
  it("adds, lists and removes, and leaves the rest of the profile alone", async () => {
    const { run, write, stored } = home();
    write({ default: "centro", profiles: { centro: { ...centro, paper: 58 } } });
    const go = (line: string) => run(line.split(" "));
    expect(
      (await go(`${add} cocina --printer tcp://10.0.0.9 --category Pizzas --category Pastas`)).code,
    ).toBe(0);
    expect((await go(`${add} caja --printer lp:caja --everything --copies 2`)).code).toBe(0);
    const cocina = { name: "cocina", printer: "tcp://10.0.0.9", categories: ["Pizzas", "Pastas"] };
    const caja = { name: "caja", printer: "lp:caja", everything: true, copies: 2 };
    expect(stored().profiles["centro"]).toEqual({ ...centro, paper: 58, stations: [cocina, caja] });
    expect(JSON.parse((await go("profile station list --json")).stdout)).toEqual({
      profile: "centro",
      stations: [
        { ...cocina, everything: false, copies: 1 },
        { ...caja, categories: [] },
      ],
    });
    expect((await go("profile station list")).stdout).toMatch(
      /^Station +Printer +Prints +Copies\ncocina .*Pizzas, Pastas +1\n/,
    );
    for (const name of ["cocina", "caja"]) expect((await go(`profile station remove ${name}`)).code).toBe(0);
    expect(stored().profiles["centro"]).toEqual({ ...centro, paper: 58 });
  });

  it.each([
    [`${add} Cocina --printer lp:x --everything`, "stations[1] (Cocina)"],
    [`${add} barra --printer lp:x`, "everything"],
    [`${add} barra --printer 10.0.0.9 --everything`, "tcp://"],
    [`${add} ../x --printer lp:x --everything`, "stations[1]"],
    [`${add} barra --printer lp:x --everything --copies 10`, "9"],
    [`${add} barra --everything`, "--printer"],
    ["profile station remove barra", "cocina", 11],
    ["-p norte profile station list", "norte", 11],
  ])("%s is refused, and the profile stays as it is", async (line, word, code = 2) => {
    const { run, write, stored } = home();
    const stations = [{ name: "cocina", printer: "lp:x", everything: true }];
    write({ default: "centro", profiles: { centro: { ...centro, stations } } });
    const result = await run(line.split(" "));
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(word);
    expect(stored().profiles["centro"]?.["stations"]).toEqual(stations);
  });

  it("removes a station that cannot be used, and adds none beside it", async () => {
    const { run, write, stored } = home();
    write({ default: "centro", profiles: { centro: { ...centro, stations: [{ name: "cocina" }] } } });
    const added = await run(`${add} caja --printer lp:x --everything`.split(" "));
    expect([added.code, added.stderr.includes("stations[0] (cocina)")]).toEqual([2, true]);
    expect((await run(["profile", "station", "remove", "cocina"])).code).toBe(0);
    expect(stored().profiles["centro"]).toEqual(centro);
  });
});

describe("a list of stations that is broken", () => {
  const barra = { name: "barra", printer: "lp:x", everything: true };
  it.each([[[null, { printer: "lp:x" }, { name: 7 }, ["x"]]], [[]]])(
    "beside %j: removes the one that is named, and nothing else",
    async (broken) => {
      const { run, write, stored } = home();
      write({ default: "centro", profiles: { centro: { ...centro, stations: [...broken, barra] } } });
      const unknown = await run("profile station remove bara".split(" "));
      expect([unknown.code, unknown.stderr.includes("barra")]).toEqual([11, true]);
      const removed = await run("profile station remove barra".split(" "));
      expect([removed.code, removed.stdout.includes("which has no other")]).toEqual([0, broken.length === 0]);
      expect(stored().profiles["centro"]?.["stations"]).toEqual(broken.length > 0 ? broken : undefined);
    },
  );

  it("takes null for none, and adds one", async () => {
    const { run, write, stored } = home();
    write({ default: "centro", profiles: { centro: { ...centro, stations: null } } });
    expect((await run(`${add} barra --printer lp:x --everything`.split(" "))).code).toBe(0);
    expect(stored().profiles["centro"]?.["stations"]).toEqual([barra]);
  });
});

describe("bpos printer stations", () => {
  it("shows which station prints each product, and ends with 3 where all do", async () => {
    const { run, home: folder, printers, write } = await stockedKitchen();
    const result = await run(["printer", "stations", "--json"]);
    expect(result.code).toBe(3);
    const all = ["B1", "P1", "P2", "X1"];
    const station = (name: keyof typeof printers, categories: string[], products: string[]) => ({
      ...{ name, printer: printers[name].url, categories, products },
    });
    expect(JSON.parse(result.stdout)).toEqual({
      stations: [
        station("cocina", ["Pizzas"], ["P1", "P2", "X1"]),
        station("barra", ["Bebidas"], ["B1", "X1"]),
        station("caja", [], all),
      ],
      everywhere: ["X1"],
    });
    const table = await run(["printer", "stations"], { terminal: 80 });
    expect(table.stdout).toMatch(/P2 +Fugazzeta +pízzas +cocina, caja/);
    expect(table.stdout).toContain('Ninguna tiene "Postres"');
    const map = join(folder, "mapa.csv");
    writeFileSync(map, "codigo,station\nX1,barra\n");
    expect((await run(["printer", "stations", "--station-map", map, "-q"])).code).toBe(0);
    write([]);
    expect(await run(["printer", "stations", "--json"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"everywhere": []') as string,
    });
  });
});

describe("catalog push of a profile with stations", () => {
  it("warns of a new category that no station has, once", async () => {
    const { run, list, write } = await stockedKitchen();
    writeFileSync(list, `${[...catalogRows, "C1,Cafe,Cafetería,10"].join("\n")}\n`);
    const first = await run(["catalog", "push", list]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toContain('ninguna estación tiene la categoría nueva "Cafetería"');
    expect(first.stderr).not.toContain("Postres");
    expect((await run(["catalog", "push", list])).stderr).toBe("");
    // A problem of a station holds up no price.
    write([{ name: "cocina" }]);
    const broken = await run(["catalog", "push", list]);
    expect([broken.code, broken.stderr.includes("stations[0] (cocina)")]).toEqual([0, true]);
  });
});

describe("orders forget of a station", () => {
  it("gives up what it has not printed, under the name that the watch says", async () => {
    const { run, printers, place } = await stockedKitchen();
    printers.barra.mode.state = "paper_out";
    await place(lineOf("B1", "Coca"));
    await watchOnce(run, "--printer");
    const later = await watchOnce(run);
    expect(later.stderr).toContain("la estación barra");
    expect(later.stderr).toContain("orders forget --output printer:barra");
    const forgot = await run(["orders", "forget", "--output", "printer:barra", "--yes", "--json"], {});
    expect(forgot.code).toBe(0);
    printers.barra.repair();
    await watchOnce(run, "--printer");
    expect(papers(printers.barra)).toEqual([]);
  });
});
