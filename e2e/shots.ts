// Takes pictures of every view, to be looked at: npm run shots -- FOLDER [VIEW…]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startMock } from "../src/mock/index.ts";
import { launch } from "./support/browser.ts";
import { clock, furnish, viewsOf } from "./support/demo-world.ts";

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error("npm run shots -- FOLDER [VIEW…]");
mkdirSync(folder, { recursive: true });
const mock = await startMock({ clock });
await furnish(mock.baseUrl);
const views = await viewsOf(mock.baseUrl);
const browser = await launch();
const sizes = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];
for (const locale of ["en", "es"])
  for (const colorScheme of ["light", "dark"] as const)
    for (const viewport of sizes) {
      const context = await browser.newContext({ locale, colorScheme, viewport });
      const page = await context.newPage();
      for (const [name, path] of Object.entries(views)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        await page.goto(mock.baseUrl + path);
        await page.screenshot({
          path: join(folder, `${name}-${viewport.width}-${colorScheme}-${locale}.png`),
        });
      }
      await context.close();
    }
await browser.close();
await mock.close();
