// Loaded before a program: at its end it says on standard error how much memory the process took at most, in kilobytes.
import { writeSync } from "node:fs";

process.on("exit", () => writeSync(2, `peak ${process.resourceUsage().maxRSS}\n`));
