import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { shell, temporaryFolder } from "../support/run.ts";

it("draws a table as the source does, though the build measures its cells in another way", async () => {
  const file = join(temporaryFolder(), "menu.csv");
  const names = ["🧋 Té de burbujas", "🫓 Pan", "Ñoquis", "寿司 🍣", "ก็", "e\u0301", "€"];
  writeFileSync(file, `codigo,nombre,precio\n${names.map((name, n) => `${n},${name},${n}x`).join("\n")}\n`);
  const built = await runBinary(["catalog", "check", file], { env: { BPOS_HOME: temporaryFolder() } });
  const source = await shell()(["catalog", "check", file]);
  expect(built.stdout).toContain("Problem");
  expect(built.stdout).toBe(source.stdout);
});
