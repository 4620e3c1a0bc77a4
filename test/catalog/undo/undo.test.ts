import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { fileOf, parse as parseReport, type Report } from "../../support/push.ts";
import { worldOf } from "../../support/random-lists.ts";
import { type Run, shell } from "../../support/run.ts";
import { realService } from "../../support/service.ts";

const header = "codigo,nombre,categoria,precio";
const first = [header, "A,Agua,Bebidas,10", "B,Bife,Platos,20", "C,Café,Bebidas,30"];
const second = [header, "A,Agua,Bebidas,15", "B,Bife chorizo,Carnes,20", "C,Café,Bebidas,30"];

type Undone = Report & { undo_of: string; left_alone: { codigo: string; reason: string }[] };
const parse = ({ stdout }: Run): Undone => JSON.parse(stdout) as Undone;

/** A service that got two lists, and how it was after the first. */
async function shop() {
  const { mock, env } = await realService({ scenario: "empty" });
  const run = shell({ env });
  const push = async (lines: readonly string[], ...flags: string[]) =>
    parseReport((await run(["catalog", "push", fileOf(...lines), "--json", ...flags])).stdout);
  const undo = (...flags: string[]) => run(["catalog", "undo", "--yes", "--json", ...flags]);
  await push(first);
  const before = await worldOf(mock);
  const pushed = await push(second);
  return { mock, run, push, undo, before, pushed };
}

describe("catalog undo", () => {
  it("sends what the last push changed as it was before, with newer stamps, and can be undone", async () => {
    const { mock, undo, run, before, pushed } = await shop();
    const after = await worldOf(mock);
    const undone = await undo();
    expect(undone.code, undone.stderr).toBe(0);
    const report = parse(undone);
    expect(report).toMatchObject({
      undo_of: pushed.push_id,
      sent: 2,
      accepted: 2,
      left_alone: [],
      outcome: "complete",
    });
    expect(report.occurred_at > pushed.occurred_at).toBe(true);
    expect(await worldOf(mock)).toEqual(before);
    expect(parse(await undo())).toMatchObject({ undo_of: report.push_id, accepted: 2 });
    expect(await worldOf(mock)).toEqual(after);
    const history = await run(["catalog", "history"], { terminal: 200 });
    expect(history.stdout.match(/\bundo\b/g)).toHaveLength(2);
  });

  it("takes a push by the beginning of its id, and leaves alone what changed since, or was never known", async () => {
    const { mock, push, undo, pushed } = await shop();
    await push([header, "A,Agua,Bebidas,99", "N,Nuevo,,1"]);
    const later = await undo(pushed.push_id.slice(0, 13));
    expect(later.code).toBe(3);
    expect(parse(later)).toMatchObject({
      undo_of: pushed.push_id,
      sent: 1,
      left_alone: [{ codigo: "A", reason: "changed_since" }],
    });
    expect(await worldOf(mock)).toMatchObject({
      A: { precio: 99 },
      B: { nombre: "Bife", categoria: "Platos" },
    });
    // Products stay as an undo left them, and the list before stays where it was.
    expect(parse(await undo())).toMatchObject({ sent: 1 });
    expect(parse(await undo("--dry-run"))).toMatchObject({ dry_run: true, sent: 0 });
  });

  it("names what was never known, and sends nothing of it", async () => {
    const { push, undo, run } = await shop();
    await push([header, "N,Nuevo,,1"]);
    const never = await undo();
    expect(never.code).toBe(3);
    expect(parse(never)).toMatchObject({
      ...{ sent: 0, outcome: "nothing" },
      left_alone: [{ codigo: "N", reason: "former_unknown" }],
    });
    expect((await undo("nope")).code).toBe(11);
    const screen = await run(["catalog", "undo", "--dry-run"], { terminal: 80 });
    expect(screen.stdout).toMatch(/N +this journal does not have its earlier values/);
  });

  it("brings back what a push deactivated, and takes off sale what it put back", async () => {
    const { mock, run, push, undo } = await shop();
    const before = await worldOf(mock);
    const flags = ["--changed-only", "--deactivate-missing", "--max-deactivate", "2"];
    await push([header, "A,Agua,Bebidas,16"], ...flags);
    expect(await worldOf(mock)).toMatchObject({
      A: { precio: 16 },
      B: { active: false },
      C: { active: false },
    });
    expect(parse(await undo())).toMatchObject({ sent: 3, accepted: 3 });
    expect(await worldOf(mock)).toEqual(before);

    await run(["catalog", "delete", "B"]);
    await push([header, "B,Bife nuevo,Carnes,21", "A,Agua,Bebidas,17"]);
    const refused = await undo();
    expect(refused.code).toBe(10);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      error: { reason: "too_many_missing", missing: 1, known: 3 },
    });
    const off = await undo("--max-deactivate", "1");
    expect(parse(off)).toMatchObject({ sent: 2, deactivated: { sent: 1, accepted: 1 } });
    expect(await worldOf(mock)).toMatchObject({ A: { precio: 15 }, B: { active: false } });
    // Both parts are one undo.
    expect(parse(await undo())).toMatchObject({ sent: 2 });
    expect(await worldOf(mock)).toMatchObject({ A: { precio: 17 }, B: { precio: 21, nombre: "Bife nuevo" } });
  });

  it("asks first, naming the largest changes; keeps --max-price-change; needs --yes without a terminal", async () => {
    const { mock, run } = await shop();
    const after = await worldOf(mock);
    const undo = ["catalog", "undo"];
    const no = await run(undo, { terminal: 80, answers: [false] });
    expect(no).toMatchObject({ code: 2, stdout: "" });
    expect(no.stderr).toMatch(/Agua[\s\S]*-33,4 %[\s\S]*Bife[\s\S]*Nothing was sent/);
    expect((await run([...undo, "--max-price-change", "10%"], { terminal: 80 })).code).toBe(10);
    expect((await run(undo)).stderr).toContain("Cannot ask for confirmation without a terminal");
    const dry = await run([...undo, "--dry-run"]);
    expect(dry.stdout).toMatch(/Catalog undo · dry run[\s\S]*2 products would be sent/);
    const { changes } = JSON.parse((await run([...undo, "--dry-run", "--json"])).stdout) as {
      changes: object;
    };
    expect(changes).toEqual([
      { codigo: "A", kind: "changed", fields: { precio: { from: 15, to: 10 } } },
      {
        codigo: "B",
        kind: "changed",
        fields: { nombre: { from: "Bife chorizo", to: "Bife" }, categoria: { from: "Carnes", to: "Platos" } },
      },
    ]);
    expect(await worldOf(mock)).toEqual(after);
    expect((await run(undo, { terminal: 80, answers: [true] })).code).toBe(0);
  });

  it.each(["en", "es", "es-AR"])("asks within 80 columns, below what it is about (%s)", async (lang) => {
    const { run } = await shop();
    let asked = "";
    const prompts = {
      confirm: (question: string, _: unknown, { hint }: { hint: string }) => {
        asked = `? ${question} ${hint} `;
        return Promise.resolve(false);
      },
    };
    const { stderr } = await run(["catalog", "undo", "--lang", lang], { terminal: 80, prompts });
    const lines = stripVTControlCharacters(stderr).split("\n");
    expect(lines[0]).toMatch(/^(?:Catalog undo|Deshacer subida) · prices\.csv · /);
    // As many products as a shop has.
    const widths = [...lines, asked.replace(/ 2 /, " 100,000 ")].map((line) => line.length);
    expect(asked).toContain("2 product");
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
  });

  it("settles a push whose outcome is unknown, whatever became of it", async () => {
    const { mock, run, undo, before } = await shop();
    expect((await undo()).code).toBe(0);
    for (const fault of ["commit-drop", "drop"]) {
      await mock.control.addFault(`POST /v1/catalog/items ${fault} times=1`);
      const lost = await run(["catalog", "push", fileOf(...second), "--retries", "0"]);
      expect(lost.code).toBe(7);
      expect((await undo()).code).toBe(0);
      expect(await worldOf(mock)).toEqual(before);
    }
  });

  it.each(["commit-drop", "drop"])(
    "continues an undo that was interrupted, and then undoes all of it (%s)",
    async (fault) => {
      const { mock, undo, before } = await shop();
      const after = await worldOf(mock);
      for (let tries = 0; tries < 2; tries++) {
        await mock.control.addFault(`POST /v1/catalog/items ${fault} times=1`);
        expect((await undo("--batch-size", "1", "--retries", "0")).code).toBe(7);
      }
      // Another size of batches is other content: it cannot be the same push that goes on.
      const rest = await undo("--batch-size", "2");
      expect(rest.code, rest.stderr).toBe(0);
      expect(await worldOf(mock)).toEqual(before);
      expect((await undo()).code).toBe(0);
      expect(await worldOf(mock)).toEqual(after);
    },
  );

  it("says that there is nothing to undo, and of what was not kept", async () => {
    const { env } = await realService({ scenario: "empty" });
    const run = shell({ env });
    expect((await run(["catalog", "undo", "--yes"])).stderr).toContain("no push to undo.");
    const many = Array.from({ length: 5_001 }, (_, n) => `K${n},Pan,,1`);
    await run(["catalog", "push", fileOf(header, ...many), "--batch-size", "5000"]);
    const { code, stderr } = await run(["catalog", "undo", "--yes"]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not have the state of the products") as string,
    });
  });
});
