// `npm run dev -- orders list`: the command line from its source, without a build.
import { main } from "../src/main.ts";
import { realSystem } from "../src/system.ts";

process.exitCode = await main(process.argv.slice(2), realSystem());
