// `tsx test/windows/executable.ts FOLDER`: makes the executable for Windows as `npm run release` does, and nothing else.
import { join } from "node:path";
import { makeExecutable } from "../../scripts/release/executable.ts";
import { targets } from "../../scripts/release/targets.ts";

const [, , folder = ""] = process.argv;
const target = targets.find(({ name }) => name === "win-x64")!;
const making = {
  target,
  form: "binary",
  compiled: join(folder, "compiled"),
  work: join(folder, "work"),
} as const;
await makeExecutable(making, join(folder, "bpos.exe"));
