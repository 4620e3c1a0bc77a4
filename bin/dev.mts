// `npm run dev -- orders list`: the command line from its source, without a build.
import { runMain } from "../src/main.ts";

process.exitCode = await runMain(process.argv.slice(2));
