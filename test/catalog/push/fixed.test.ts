import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixture, shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

interface Report {
  read: number;
  products: number;
  collapsed: number;
  first: object[];
  rejected: { line: number; codigo: string | null; error: string }[];
  notices: string[];
  mapping: Record<string, string | null>;
  inverse: boolean;
  unused: string[];
  fixed_file: string | null;
}
const parse = (text: string): Report => JSON.parse(text) as Report;

/** A file of that text in a folder of its own. */
function fileWith(text: string, name = "prices.csv"): { folder: string; file: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), text);
  return { folder, file: join(folder, name) };
}

const messy =
  "Código;Descripción;Precio;Activo;Stock\r\n1;Pan;1.250,50;no;3\r\n1;Pan;1.250,50;no;4\r\n2;Leche;consultar;sí;5\r\n";

describe("--fixed", () => {
  it("writes a copy that checks and pushes without a word", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const run = shell({ env, cwd: temporaryFolder() });
    const checked = await run(["catalog", "check", fixture("catalog.csv"), "--fixed", "clean.csv", "--json"]);
    expect(parse(checked.stdout)).toMatchObject({ products: 293, fixed_file: "clean.csv" });
    const again = await run(["catalog", "check", "clean.csv", "--json"]);
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: "" });
    expect(parse(again.stdout)).toMatchObject({
      read: 293,
      products: 293,
      rejected: [],
      notices: [],
      unused: [],
    });
    const pushed = await run(["catalog", "push", "clean.csv", "--json"]);
    expect(pushed.stderr).toBe("");
    // Two of them only the service can refuse.
    expect(JSON.parse(pushed.stdout)).toMatchObject({ accepted: 291 });
    expect(await mock.control.catalog("demo")).toHaveLength(291);
  });

  it("repairs names that were encoded twice, and leaves codes as they are", async () => {
    const { folder, file } = fileWith("CÃ³digo;Nombre\n1Ã±;CafÃ© PIÃ‘A\n2;Pan\n");
    const { stdout } = await shell({ cwd: folder })(["catalog", "check", file, "--fixed", "clean.csv"]);
    expect(readFileSync(join(folder, "clean.csv"), "utf8")).toBe(
      "codigo;nombre\r\n1Ã±;Café PIÑA\r\n2;Pan\r\n",
    );
    expect(stdout).toContain("clean.csv contains 2 products. Double-encoded names are repaired");
  });

  it("writes JSON where the name says it", async () => {
    const { folder, file } = fileWith("codigo;precio\n01;1,5\n02;2\n");
    const run = shell({ cwd: folder });
    for (const name of ["clean.json", "clean.ndjson"]) {
      await run(["catalog", "check", file, "--fixed", name]);
      const again = await run(["catalog", "check", name, "--json"]);
      expect(parse(again.stdout)).toMatchObject({
        products: 2,
        notices: [],
        first: [
          { codigo: "01", precio: 1.5 },
          { codigo: "02", precio: 2 },
        ],
      });
    }
  });

  it("refuses the file that is read, also by another name, and a folder that is not there", async () => {
    const { folder, file } = fileWith(messy);
    symlinkSync(file, join(folder, "link.csv"));
    const run = shell({ cwd: folder });
    for (const [fixed, why] of [
      ["prices.csv", "is the input file"],
      ["link.csv", "is the input file"],
      ["no/clean.csv", "its folder does not exist"],
    ] as const) {
      const { code, stdout, stderr } = await run(["catalog", "check", file, "--fixed", fixed]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`--fixed`);
      expect(stderr).toContain(why);
    }
    expect(readFileSync(file, "utf8")).toBe(messy);
  });

  it("replaces no file that is there, unless --force says so, and never a FIFO", async () => {
    const { folder, file } = fileWith("codigo;precio\nA;1,50\n");
    const run = shell({ cwd: folder });
    const fixed = join(folder, "clean.csv");
    writeFileSync(fixed, "of somebody else\n");
    const refused = await run(["catalog", "check", file, "--fixed", "clean.csv"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--fixed clean.csv already exists.");
    expect(readFileSync(fixed, "utf8")).toBe("of somebody else\n");
    expect((await run(["catalog", "check", file, "--fixed", "clean.csv", "--force"])).code).toBe(0);
    expect(readFileSync(fixed, "utf8")).toBe("codigo;precio\r\nA;1,5\r\n");
    execFileSync("mkfifo", [join(folder, "fifo.csv")]);
    expect((await run(["catalog", "check", file, "--fixed", "fifo.csv", "--force"])).code).toBe(2);
  });
});
