import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { modeOf } from "../../support/profiles.ts";
import { parse } from "../../support/push.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

interface Desk {
  mock: RunningMock;
  push: (file: string, ...flags: string[]) => Promise<Run>;
  /** Writes a file, and pushes it with a rejected file. */
  pushText: (name: string, text: string | Buffer) => Promise<Run>;
  /** Contents of the rejected file. */
  rejected: () => string;
  /** Corrects the rejected file by hand, and pushes it as it is. */
  correct: (from: string | RegExp, to: string) => Promise<Run>;
}

async function desk(): Promise<Desk> {
  const { mock, env } = await service({ scenario: "empty" });
  const run = shell({ env });
  const folder = temporaryFolder();
  const bad = join(folder, "rejected.csv");
  const push: Desk["push"] = (file, ...flags) => run(["catalog", "push", file, "--json", "-q", ...flags]);
  const rejected = (): string => readFileSync(bad, "utf8");
  return {
    mock,
    push,
    rejected,
    pushText: (name, text) => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return push(file, "--rejected", bad);
    },
    correct: (from, to) => {
      writeFileSync(bad, rejected().replace(from, to));
      return push(bad);
    },
  };
}

const names = async (mock: RunningMock): Promise<[string, string][]> =>
  (await mock.control.catalog("demo")).map(({ codigo, nombre }) => [codigo, nombre]);

describe("the rejected file", () => {
  it.each(["as it is", "by another spelling", "through a link", "by a hard link"])(
    "goes to the next free name where it is the file that is read, named %s",
    async (way) => {
      const { push, pushText } = await desk();
      // `run the same command with it` leads here: a report of ours, unchanged, is read and named at once.
      const { rejected_file: report } = parse(
        (await pushText("c.csv", "codigo,precio\n1,consultar\n")).stdout,
      );
      const input = report ?? "";
      const other = join(temporaryFolder(), "other.csv");
      if (way === "through a link") symlinkSync(input, other);
      if (way === "by a hard link") linkSync(input, other);
      const spelled = join(dirname(input), ".", "..", basename(dirname(input)), basename(input));
      const named = way === "as it is" ? input : way === "by another spelling" ? spelled : other;
      const before = readFileSync(input);
      const { code, stdout, stderr } = await push(input, "--rejected", named);
      const written = named.replace(".csv", "-2.csv");
      expect([code, parse(stdout).rejected_file]).toEqual([3, written]);
      expect(stderr).toContain(
        `This command reads ${named}, so it was not overwritten. The rows left out are in ${written}.`,
      );
      expect(readFileSync(input)).toEqual(before);
      expect(readFileSync(written, "utf8")).toContain("consultar");
    },
  );

  it("is not removed where it is the file that is read, and nothing was rejected", async () => {
    const { push, pushText, rejected } = await desk();
    const text = 'codigo,nombre,precio\n1,Uno,1.250\n2,Dos,"1.450,50"\n3,Tres,"1,600"\n';
    const { rejected_file: report } = parse((await pushText("c.csv", text)).stdout);
    const { code } = await push(report ?? "", "--decimal", ",", "--rejected", report ?? "");
    expect([code, rejected()]).toEqual([0, expect.stringContaining("1,600")]);
  });

  it("is for its owner alone, unless there was one with a mode of its own", async () => {
    const { push } = await desk();
    const folder = temporaryFolder();
    const path = (name: string): string => join(folder, name);
    const [from, fresh, old] = [path("c.csv"), path("fresh.csv"), path("old.csv")];
    writeFileSync(from, "codigo,precio\n1,consultar\n");
    writeFileSync(old, "");
    chmodSync(old, 0o644);
    await push(from, "--rejected", fresh);
    await push(from, "--rejected", old);
    expect(readFileSync(old, "utf8")).toBe(readFileSync(fresh, "utf8"));
    expect([modeOf(fresh), modeOf(old)]).toEqual(["600", "644"]);
  });

  it("cannot run in a spreadsheet, and gives the same codes and names back", async () => {
    const { mock, pushText, rejected, correct } = await desk();
    const rows = [
      '+1+2,=HYPERLINK("x"),consultar',
      "@A,-1-1,consultar",
      "@B,''=x,consultar",
      "-5,+54 11 6123,consultar",
    ];
    const quoted = rows.map((row) => row.replace(/(=.*?\))/, (name) => `"${name.replaceAll('"', '""')}"`));
    expect((await pushText("prices.csv", `codigo,nombre,precio\n${quoted.join("\n")}\n`)).code).toBe(3);
    const cells = rejected().replace("\ufeff", "").split("\r\n").slice(1, -1);
    expect(cells[0]).toMatch(/^'\+1\+2,"'=HYPERLINK\(""x""\)",consultar,/);
    expect(cells[1]).toMatch(/^'@A,'-1-1,/);
    expect(cells[2]).toMatch(/^'@B,'''=x,/);
    expect(cells[3]).toMatch(/^-5,\+54 11 6123,/);
    expect((await correct(/consultar,/g, "10,")).code).toBe(0);
    expect(await names(mock)).toEqual([
      ["+1+2", '=HYPERLINK("x")'],
      ["@A", "-1-1"],
      ["@B", "''=x"],
      ["-5", "+54 11 6123"],
    ]);
  });

  it("of an earlier push goes once nothing is rejected, unless somebody changed it", async () => {
    const { pushText, rejected, correct } = await desk();
    expect((await pushText("prices.csv", "codigo,nombre,precio\nA,Agua,consultar\n")).code).toBe(3);
    expect(rejected()).toContain("consultar");
    expect((await pushText("prices.csv", "codigo,nombre,precio\nA,Agua,1.50\n")).code).toBe(0);
    expect(rejected).toThrow("ENOENT");

    await pushText("prices.csv", "codigo,nombre,precio\nA,Agua,consultar\n");
    await correct("consultar", "2.50");
    await pushText("prices.csv", "codigo,nombre,precio\nA,Agua,1.50\n");
    expect(rejected()).toContain("2.50");
  });

  it("goes to the next free name where the file is somebody else's or was corrected, which is said", async () => {
    const { pushText, push, rejected, correct } = await desk();
    const first = await pushText("prices.csv", "codigo,nombre,precio\nA,Agua,consultar\n");
    await correct("consultar", "2.50");
    const again = await pushText("prices.csv", "codigo,nombre,precio\nB,Bife,-1\n");
    expect(again.code).toBe(3);
    const bad = parse(first.stdout).rejected_file!;
    const next = bad.replace(".csv", "-2.csv");
    expect(parse(again.stdout).rejected_file).toBe(next);
    expect(again.stderr).toContain(`The rows left out are in ${next}.`);
    expect(rejected()).toContain("A,Agua,2.50");
    expect(readFileSync(next, "utf8")).toContain("B,Bife,-1");

    const folder = temporaryFolder();
    const other = join(folder, "orders.csv");
    writeFileSync(other, "order_id,total\n7,12\n");
    writeFileSync(join(folder, "prices.csv"), "codigo,nombre,precio\nA,Agua,1.50\n");
    expect((await push(join(folder, "prices.csv"), "--rejected", other)).code).toBe(0);
    expect(readFileSync(other, "utf8")).toBe("order_id,total\n7,12\n");
  });

  it("is neither a FIFO, a device, a folder nor a stream: nothing is sent", async () => {
    const { mock, push } = await desk();
    const folder = temporaryFolder();
    const prices = join(folder, "prices.csv");
    const fifo = join(folder, "fifo.csv");
    execFileSync("mkfifo", [fifo]);
    writeFileSync(prices, "codigo,nombre,precio\nA,Agua,1.50\nB,Bife,-1\n");
    for (const file of [fifo, folder, "/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
      const { code, stderr } = await push(prices, "--rejected", file);
      expect({ file, code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/it is a folder|not a regular file/) as string,
      });
    }
    expect(await names(mock)).toEqual([]);
  });

  it.each<[string, BufferEncoding, string, string]>([
    ["plain UTF-8", "utf8", "codigo,nombre,precio\nA,Ñoquis,consultar\n", "codigo,nombre,precio,error\r\n"],
    [
      "UTF-8 with a mark",
      "utf8",
      "\ufeffcodigo;nombre;precio\nA;Ñoquis;consultar\n",
      "\ufeffcodigo;nombre;precio;error\r\n",
    ],
    [
      "windows-1252",
      "latin1",
      "codigo;nombre;precio\nA;Ñoquis;consultar\n",
      "\ufeffcodigo;nombre;precio;error\r\n",
    ],
  ])(
    "of %s is written as the program reads it that the file came from",
    async (_, encoding, text, expected) => {
      const { pushText, rejected } = await desk();
      await pushText("prices.csv", Buffer.from(text, encoding));
      expect(rejected().startsWith(expected)).toBe(true);
    },
  );

  it.each([
    ["prices.json", (rows: object[]) => JSON.stringify(rows)],
    ["prices.ndjson", (rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n")],
  ])(
    "of %s is a CSV that can be pushed, though nothing in it was corrected by itself",
    async (name, write) => {
      const { mock, pushText, rejected, correct, push } = await desk();
      const rows = [
        { codigo: 123, nombre: "Agua", precio: 1.5 },
        { codigo: "B", nombre: ["Bife"], precio: 2.5 },
        { precio: "consultar", codigo: "C", nombre: "Café" },
        { codigo: "D", nombre: "Dulce", precio: 4.5, deshabilitado: true },
        { codigo: true, nombre: "Empanada", precio: 5.5 },
      ];
      const first = await pushText(name, write(rows));
      expect(parse(first.stdout)).toMatchObject({ accepted: 1, rejected: [{}, {}, {}, {}] });
      expect(rejected()).toMatch(
        /^codigo,nombre,precio,deshabilitado,error,bpos_info,bpos_hold\r\n123,Agua,1\.5,,/,
      );
      const file = parse(first.stdout).rejected_file!;
      // As text the number would be a good code, and the list a good name: a person must look at them first.
      const again = await push(file);
      expect(parse(again.stdout)).toMatchObject({ sent: 0, rejected: [{}, {}, {}, {}] });
      const last = await correct(/,check this row, then delete the cell on the right,unchecked/g, ",,");
      expect(last.code).toBe(3);
      writeFileSync(
        file,
        rejected()
          .replaceAll(",unchecked", ",")
          .replace("consultar", "3.5")
          .replace('"[""Bife""]"', "Bife")
          .replace("\r\ntrue,", "\r\nE,"),
      );
      expect((await push(file)).code).toBe(0);
      expect((await names(mock)).map(([code, nombre]) => `${code} ${nombre}`).toSorted()).toEqual([
        "123 Agua",
        "B Bife",
        "C Café",
        "D Dulce",
        "E Empanada",
      ]);
    },
  );

  it("keeps an amount in doubt as it was read, and is refused unless it is corrected or --decimal is given", async () => {
    const { mock, pushText, rejected, push, correct } = await desk();
    const { code, stdout } = await pushText(
      "p.csv",
      'codigo,nombre,precio\nA,Agua,"1,600"\nB,Bife,"1.450,50"\n',
    );
    const error = 'precio "1,600" can mean 1.6 or 1600: correct the cell, or use --decimal , if it is 1.6';
    expect({ code, ...parse(stdout) }).toMatchObject({
      code: 3,
      accepted: 1,
      rejected: [{ codigo: "A", error }],
    });
    expect(rejected()).toContain('A,Agua,"1,600",');
    const { rejected_file: file } = parse(stdout);
    const again = await push(file!);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("decimals_ambiguous");
    expect((await push(file!, "--decimal", ",")).code).toBe(0);
    expect((await correct('"1,600"', "1600")).code).toBe(0);
    expect((await mock.control.catalog("demo")).map(({ precio }) => precio).sort()).toEqual([1450.5, 1600]);
  });

  it.each([
    ["a quote that is never closed", 'codigo\n"A\n'],
    ["a quote that is closed too late", 'codigo,nombre,precio\nA,"x,1\nB,y",2\n'],
  ])("of %s is not pushed as a good row", async (_, text) => {
    const { mock, pushText, push } = await desk();
    const first = await pushText("prices.csv", text);
    expect(first.code).toBe(3);
    const again = await push(parse(first.stdout).rejected_file!);
    expect(parse(again.stdout)).toMatchObject({ sent: 0 });
    expect(await names(mock)).toEqual([]);
  });
});
