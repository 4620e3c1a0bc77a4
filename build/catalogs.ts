import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "rolldown";
import { keyOf } from "../src/texts/key.ts";
import { findMessages } from "./messages.ts";

const readCatalog = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;

/** What a language says, on top of the neutral Spanish that it differs from: a run reads one file. */
const wholeCatalog = (file: string): Record<string, string> => {
  const base = join(file, "../es.json");
  return { ...readCatalog(base), ...readCatalog(file) };
};

/** Builds the catalogs of texts with short keys in place of the English, and with what the code in a folder says alone: the library needs little of it. */
export function catalogsOf(folder: string): Plugin {
  const said = new Set(findMessages(folder).map(({ message }) => message));
  return {
    name: "catalogs",
    load: {
      filter: { id: /src[\\/]texts[\\/][\w-]+\.json$/ },
      handler(id) {
        const texts = Object.entries(wholeCatalog(id)).filter(
          ([message, text]) => said.has(message) && text !== "",
        );
        const byKey = new Map(texts.map(([message, text]) => [keyOf(message), text]));
        if (byKey.size !== texts.length)
          this.error(`${basename(id)}: two messages have the same key: reword one`);
        const json = JSON.stringify(Object.fromEntries(byKey));
        return { code: `export default JSON.parse(${JSON.stringify(json)});`, moduleType: "js" };
      },
    },
  };
}
