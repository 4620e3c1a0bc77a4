import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "rolldown";
import { keyOf } from "../src/texts/key.ts";

/** Builds the catalogs of texts with short keys: with the English in them, the package would be 3 % larger. */
export const catalogs: Plugin = {
  name: "catalogs",
  load: {
    filter: { id: /src[\\/]texts[\\/][\w-]+\.json$/ },
    handler(id) {
      const texts = Object.entries(JSON.parse(readFileSync(id, "utf8")) as Record<string, string>);
      const byKey = new Map(texts.map(([message, text]) => [keyOf(message), text]));
      if (byKey.size !== texts.length)
        this.error(`${basename(id)}: two messages have the same key: reword one`);
      const json = JSON.stringify(Object.fromEntries(byKey));
      return { code: `export default JSON.parse(${JSON.stringify(json)});`, moduleType: "js" };
    },
  },
};
