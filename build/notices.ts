import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "rolldown";
import { pagePackages } from "./page.ts";

interface Manifest {
  name: string;
  version: string;
  license: string;
}

const separator = `\n\n${"-".repeat(80)}\n\n`;

function licenceTexts(folder: string): string[] {
  const files = readdirSync(folder);
  // Chosen for packages that offer two licences.
  const mit = files.filter((file) => file === "LICENSE-MIT");
  const texts = (mit.length > 0 ? mit : files.filter((file) => /^(licen[cs]e|notice)(\.|$)/i.test(file))).map(
    (file) => readFileSync(join(folder, file), "utf8").replaceAll("\r", "").trim(),
  );
  if (texts.length > 0) return texts;
  // A few have it at the end of their README only.
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  return /## licen[cs]e\s+(.*)$/is.exec(readme)?.slice(1) ?? [];
}

/** The name, the version and the whole licence of a package that is bundled. */
function toNotice(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest;
  const texts = licenceTexts(folder);
  if (texts.length === 0) throw new Error(`${name} ${version} is bundled but has no licence file`);
  return [`${name} ${version} (${license})`, ...texts].join("\n\n");
}

/** The folder of the package that a module belongs to. */
const packageFolder = /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/;

/** The licences of bundled packages must be distributed with them. */
export const notices: Plugin = {
  name: "third-party-notices",
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    const bundled = modules.flatMap((id) => packageFolder.exec(id.replace(/^\0/, ""))?.[0] ?? []);
    const folders = new Set([...bundled, ...pagePackages].map((folder) => resolve(folder)));
    // jq-wasm has the licence of its own code only.
    const program = `jq 1.8, in jq-wasm\n\n${readFileSync("docs/licences/jq.txt", "utf8").trim()}`;
    const letters = readFileSync("docs/licences/terminus.txt", "utf8").trim();
    const texts = [...[...folders].sort().map(toNotice), program, letters].join(separator);
    const source = `bpos contains these packages.\n\n${texts}\n`;
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY.txt", source });
  },
};
