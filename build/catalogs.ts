import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "rolldown";
import { keyOf } from "../src/texts/key.ts";
import { findMessages } from "./messages.ts";

/** Builds the catalogs of texts with short keys in place of the English, and with what the code in a folder says alone: the library needs little of it. */
export function catalogsOf(folder: string): Plugin {
  const said = new Set(findMessages(folder).map(({ message }) => message));
  return {
    name: "catalogs",
    load: {
      filter: { id: /src[\\/]texts[\\/][\w-]+\.json$/ },
      handler(id) {
        const catalog = JSON.parse(readFileSync(id, "utf8")) as Record<string, string>;
        const texts = Object.entries(catalog).filter(([message, text]) => said.has(message) && text !== "");
        const byKey = new Map(texts.map(([message, text]) => [keyOf(message), text]));
        if (byKey.size !== texts.length)
          this.error(`${basename(id)}: two messages have the same key: reword one`);
        const json = JSON.stringify(Object.fromEntries(byKey));
        return { code: `export default JSON.parse(${JSON.stringify(json)});`, moduleType: "js" };
      },
    },
  };
}
