import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, runBinary, shell, temporaryFolder } from "../support/run.ts";

const chunks = join(root, "dist/chunks");

/** The chunks that are loaded with one, itself included, by their names without the hash. */
function loadedWith(start: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(join(chunks, file), "utf8");
    for (const [, other] of text.matchAll(/^import .*"\.\/([^"]+)";$/gm)) if (other) visit(other);
  };
  const files = readdirSync(chunks).filter((file) => file.replace(/-[\w-]{8}\.js$/, "") === start);
  expect(files).toHaveLength(1);
  for (const file of files) visit(file);
  return [...seen].map((file) => file.replace(/-[\w-]{8}\.js$/, ""));
}

// A module that a list of orders needs lies quickly where a push needs it too; then a start takes a quarter longer.
it.each(["list-orders", "orders-list"])("a list of orders loads nothing of a catalog: %s", (name) => {
  const loaded = loadedWith(name);
  expect(loaded).toContain("command");
  for (const stage of ["journal", "file", "catalog", "push"]) expect(loaded).not.toContain(stage);
});

it.each(["command", "doctor", "order-ticket", "orders-watch"])(
  "%s loads cli-table3 only to draw a table",
  (name) => {
    expect(loadedWith(name)).not.toContain("table");
  },
);

it("draws a table as the source does, though the build measures its cells in another way", async () => {
  const file = join(temporaryFolder(), "menu.csv");
  const names = ["🧋 Té de burbujas", "🫓 Pan", "Ñoquis", "寿司 🍣", "ก็", "e\u0301", "€"];
  writeFileSync(file, `codigo,nombre,precio\n${names.map((name, n) => `${n},${name},${n}x`).join("\n")}\n`);
  const built = await runBinary(["catalog", "check", file], { env: { BPOS_HOME: temporaryFolder() } });
  const source = await shell()(["catalog", "check", file]);
  expect(built.stdout).toContain("Problem");
  expect(built.stdout).toBe(source.stdout);
});
