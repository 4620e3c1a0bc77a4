import { readOwnFile } from "../system/own-files.ts";

const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };

/** A script or stylesheet of our pages; undefined where there is none of this name. */
export function readPageFile(name: string): { text: string; type: string } | undefined {
  const [, extension = ""] = /^[a-z]+\.(js|css)$/.exec(name) ?? [];
  if (extension === "") return undefined;
  try {
    const text = readOwnFile(`dist/console/${name}`).toString();
    return { text, type: `${types[extension] ?? ""}; charset=utf-8` };
  } catch {
    return undefined;
  }
}
