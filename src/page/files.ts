import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Found by the name of the package: the build puts this module into another folder. */
const folder = join(dirname(createRequire(import.meta.url).resolve("bpos/package.json")), "dist", "console");
const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };

/** A script or stylesheet of our pages; undefined where there is none of this name. */
export async function readPageFile(name: string): Promise<{ text: string; type: string } | undefined> {
  const [, extension = ""] = /^[a-z]+\.(js|css)$/.exec(name) ?? [];
  const text = extension && (await readFile(join(folder, name), "utf8").catch(() => ""));
  return text === "" ? undefined : { text, type: `${types[extension] ?? ""}; charset=utf-8` };
}
