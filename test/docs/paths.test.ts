import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/run.ts";
import { isSoak } from "../support/soak.ts";

const pages = [
  ...["README.md", "README.es.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
const textOf = (page: string): string => readFileSync(join(root, page), "utf8");
/** Returns the targets of a page's links, but for those to other sites. */
const linked = (page: string): string[] =>
  [...textOf(page).matchAll(/(?:\]\(|src(?:set)?=")([^)#:"]+)(?:#[^)]*)?[)"]/g)].map(([, path = ""]) =>
    join(page, "..", path),
  );

it("a picture for dark themes has a whole address once npm's page can resolve that of the light one", () => {
  const { repository } = JSON.parse(textOf("package.json")) as { repository?: unknown };
  const [, srcset = ""] = /srcset="([^"]+)"/.exec(textOf("README.md")) ?? [];
  expect(srcset).toMatch(repository === undefined ? /-dark\.webp$/ : /^https:/);
});

it.each(pages)("%s names files that exist", (page) => {
  const named = textOf(page).match(/(?<![\w./-])(?:src|test|docs|bench|bin)\/[\w./-]*\w/g) ?? [];
  expect([...named, ...linked(page)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** The anchor that a page gets for a heading. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

it.each(pages)("%s links to headings that exist", (page) => {
  const anchors = (name: string): Set<string> =>
    new Set(Array.from(textOf(name).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => slug(heading)));
  const links = textOf(page).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g);
  const broken = Array.from(links, ([, path = "", anchor = ""]) => [
    path === "" ? page : join(page, "..", path),
    anchor,
  ]).filter(([name = "", anchor = ""]) => !name.endsWith(".md") || !anchors(name).has(anchor));
  expect(broken).toEqual([]);
});

it("the source refers only to pages that the package carries", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const named = new Set(
    files.flatMap((name) => textOf(join("src", name)).match(/\bdocs\/[\w/.-]*\w|\b\w+\.md\b/g) ?? []),
  );
  const own = pages.map((page) => page.replace(/^docs\//, ""));
  expect([...named].filter((name) => !pages.includes(name) && !own.includes(name))).toEqual([]);
  expect([...named].filter((name) => name.startsWith("docs/dev/decisions"))).toEqual([]);
});

it.runIf(isSoak)("pages link only to what the package carries, where they are in it themselves", () => {
  const argv = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const out = execFileSync("npm", argv, { cwd: root, encoding: "utf8" });
  // A list, or an object by name: npm's versions differ.
  const [packed] = Object.values(JSON.parse(out) as Record<string, { files: { path: string }[] }>);
  const carried = new Set(packed?.files.map(({ path }) => path));
  expect(carried).toContain("README.md");
  for (const page of pages.filter((each) => carried.has(each)))
    expect([page, linked(page).filter((path) => !carried.has(path))]).toEqual([page, []]);
});

it("pages name what is really in those files", () => {
  const pairs = [
    ...pages
      .map(textOf)
      .join("\n")
      .matchAll(/`(\w+)` in `(src\/[\w./-]+\.ts)`/g),
  ];
  expect(pairs.length).toBeGreaterThan(7);
  for (const [, name = "", file = ""] of pairs)
    expect(textOf(file), file).toMatch(new RegExp(`\\b${name}\\b`));
});

it("workflows name an action by its commit: whoever owns a tag may move it", () => {
  const folder = join(".github", "workflows");
  const uses = readdirSync(join(root, folder)).flatMap((name) =>
    [...textOf(join(folder, name)).matchAll(/^\s*-? *uses: *(.*)$/gm)].map(([, action]) => action),
  );
  expect(uses.length).toBeGreaterThan(1);
  for (const action of uses) expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

const section = (heading: string): string =>
  textOf("CONTRIBUTING.md").split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";

// Following one of these through the sources opens so many files and no more.
it.each([
  ["How a price list travels", 18],
  ["How an order travels", 20],
  ["How a campaign travels", 18],
])("CONTRIBUTING.md, %s: at most %i files, all of which exist", (heading, most) => {
  const files = [...section(heading).matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThan(5);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
