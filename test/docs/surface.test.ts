import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { surfaceText } from "../../scripts/surface.ts";
import { root } from "../support/run.ts";
import { soakIt } from "../support/soak.ts";

const linesOf = (text: string): string[] => text.trimEnd().split("\n");

// To read the types takes a compiler some seconds.
soakIt(
  "what users build on is what it was; if a change is meant, run `npm run docs`",
  () => {
    const before = linesOf(readFileSync(join(root, "test/docs/surface.txt"), "utf8"));
    const now = linesOf(surfaceText());
    const gone = before.filter((line) => !now.includes(line));
    const added = now.filter((line) => !before.includes(line));

    expect({ gone, added }).toEqual({ gone: [], added: [] });
  },
  120_000,
);
