import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/run.ts";

it("shows in docs/mock.md the example that this suite runs, to the letter", () => {
  const page = readFileSync(join(root, "docs/mock.md"), "utf8");
  const example = readFileSync(join(root, "test/docs/mock-example.test.ts"), "utf8");
  expect(page).toContain(`\`\`\`ts\n${example}\`\`\``);
});
