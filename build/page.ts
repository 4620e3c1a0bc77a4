import { readFileSync } from "node:fs";
import type { Plugin } from "rolldown";

const own = "src/mock/console/static";
/** The shared sheet, then what each view adds; each ends with its rules for narrow windows. */
const styles = ["base", "orders", "ticket", "catalog", "campaigns", "requests", "world"];

/** The scripts and the stylesheet of the mock's page, as they are. */
const files: Record<string, readonly string[]> = {
  "htmx.js": ["node_modules/htmx.org/dist/htmx.min.js"],
  "sse.js": ["node_modules/htmx-ext-sse/dist/sse.min.js"],
  "console.js": ["console", "compose", "alerts", "board", "catalog"].map((part) => `${own}/${part}.js`),
  "console.css": styles.map((view) => `${own}/${view}.css`),
};

/** The packages whose files the page loads: no import names them. */
export const pagePackages = ["node_modules/htmx.org", "node_modules/htmx-ext-sse"];

export const page: Plugin = {
  name: "page",
  generateBundle() {
    for (const [name, parts] of Object.entries(files)) {
      const source = parts.map((part) => readFileSync(part, "utf8")).join("\n");
      this.emitFile({ type: "asset", fileName: `console/${name}`, source });
    }
  },
};
