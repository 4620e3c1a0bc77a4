import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/run.ts";

const pages = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

it.each(pages)("%s names files that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const named = [...text.matchAll(/(?<![\w./-])(?:src|test|docs|bench|bin)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);
  expect(linked.filter((path) => !existsSync(join(root, page, "..", path)))).toEqual([]);
});

it("link only to what the package carries, where they are in it themselves", () => {
  const out = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  });
  // A list, or an object by name: npm's versions differ.
  const [packed] = Object.values(JSON.parse(out) as Record<string, { files: { path: string }[] }>);
  const carried = new Set(packed?.files.map(({ path }) => path));
  const broken = pages
    .filter((page) => carried.has(page))
    .flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, path = ""]) => join(page, "..", path))
        .filter((path) => !carried.has(path))
        .map((path) => `${page}: ${path}`),
    );
  expect(carried.has("README.md")).toBe(true);
  expect(broken).toEqual([]);
});

it("name what is really in those files", () => {
  const texts = pages.map((page) => readFileSync(join(root, page), "utf8")).join("\n");
  const pairs = [...texts.matchAll(/`(\w+)` in `(src\/[\w./-]+\.ts)`/g)];
  expect(pairs.length).toBeGreaterThan(7);
  for (const [, name = "", file = ""] of pairs) {
    expect(readFileSync(join(root, file), "utf8"), file).toMatch(new RegExp(`\\b${name}\\b`));
  }
});
