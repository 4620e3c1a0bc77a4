import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/run.ts";

const pages = ["", "docs"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== "", encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

it("no line of a page is longer than an editor shows", () => {
  const long = pages.flatMap((page) =>
    readFileSync(join(root, page), "utf8")
      .split("\n")
      .flatMap((line, at) => (Array.from(line).length > 160 ? [`${page}:${at + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
