// Loaded before a program: at its end it says on standard error how much memory the process took at most, in kilobytes.
import { existsSync, readFileSync, writeSync } from "node:fs";

// The system's figure for the process itself: maxRSS also has what its parent took when it started it.
function peak() {
  const file = "/proc/self/status";
  const [, kilobytes] = (existsSync(file) && /VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))) || [];
  return kilobytes ?? process.resourceUsage().maxRSS;
}

process.on("exit", () => writeSync(2, `peak ${peak()}\n`));
