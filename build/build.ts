// Builds dist and the manual (npm run build); with `bundle`, only the code. The command of the bundler prints a line for each file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { build } from "rolldown";
import config from "./config.ts";

/** Writes the types of the library. */
async function writeTypes(): Promise<void> {
  const tsc = ["node_modules/typescript-7/bin/tsc", "-p", "tsconfig.build.json"];
  const [code] = (await once(spawn(process.execPath, tsc, { stdio: "inherit" }), "exit")) as [number | null];
  if (code !== 0) throw new Error("tsc failed");
}

if (process.argv[2] === "bundle") await build(config);
else {
  rmSync("dist", { recursive: true, force: true });
  await Promise.all([
    writeTypes(),
    build(config),
    import("../scripts/pages.ts").then(({ writeManual }) => writeManual()),
  ]);
}
