import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** The output folder of `npm run release`. */
export const release = join(root, "release");

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));

const manifest = readJson("package.json") as { name: string; version: string; description: string };
export const { version } = manifest;

/** The package's name for `npm pack`: without the scope's signs. */
export const packedAs = `${manifest.name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;

const git = (...line: string[]): string =>
  execFileSync("git", line, { cwd: root, encoding: "utf8" }).trimEnd();

/** Returns the uncommitted changes; undefined if there are none. */
export const findChanges = (): string | undefined => git("status", "--porcelain") || undefined;

/** When the commit was made, in seconds: the time of every file of the release. */
export const epoch = Number(git("log", "-1", "--format=%ct"));

/** NOT DECIDED YET: where bpos will be published, and who is responsible for its packages. Nothing else names them. */
export const publication = {
  repository: "https://github.com/OWNER/bpos",
  maintainer: "The bpos authors <bpos@users.noreply.github.com>",
  /** The name before the dot of winget's identifier. */
  publisher: "BposAuthors",
};

/** Why nothing can be released to a place that is not decided; undefined otherwise. */
export function refusePublication({
  repository,
}: Pick<typeof publication, "repository">): string | undefined {
  if (!repository.includes("/OWNER/")) return undefined;
  return `${repository} is nobody's repository. Set \`publication\` in scripts/release/about.ts: docs/dev/releasing.md says what else to decide. \`npm run release -- --trial\` makes a release to try it.`;
}

/** Returns the address of a file of the release once it is published. */
export const addressOf = (file: string): string =>
  `${publication.repository}/releases/download/v${version}/${file}`;

/** The text of a template with its `{{…}}` filled in. */
export function fillTemplate(name: string, facts: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(import.meta.dirname, "templates", name), "utf8");
  const all: Readonly<Record<string, string>> = { ...manifest, ...publication, ...facts };
  return text.replace(/\{\{([^}]+)\}\}/g, (_, key: string) => {
    const fact = all[key.trim()];
    if (fact === undefined) throw new Error(`${name}: nothing is known of ${key}`);
    return fact;
  });
}
