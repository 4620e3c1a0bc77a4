import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./run.ts";

interface Printer {
  status?: number;
  attributes?: number;
  port?: string;
  driver?: string;
}

/** What the stand-in of PowerShell knows; it reads it again for each question. */
interface SpoolerWorld {
  printers: Record<string, Printer>;
  default?: string;
  /** Windows' own number of the error that everything ends with: 1722 of a service that is stopped. */
  code?: number;
  /** The status of a job at each poll; then it is gone. */
  job?: number[];
  /** What it does instead of an answer to a question of that kind. */
  instead?: Partial<
    Record<"list" | "state" | "print" | "job", "die" | "hang" | "chatter" | "refuse" | "half">
  >;
}

const standIn = String.raw`
const fs = require("node:fs");
const { join } = require("node:path");
const folder = process.env.BPOS_TEST_SPOOLER;
const keep = (name, value) => fs.appendFileSync(join(folder, name), JSON.stringify(value) + "\n");
keep("starts", process.argv.slice(2));
let polls = 0;
const answer = (ask, world) => {
  const found = world.printers[ask.printer];
  const refuse = (code, begun) => ({ code, message: "El número " + code, begun });
  if (world.code) return refuse(world.code, false);
  if (ask.do === "list") {
    const printers = Object.entries(world.printers).map(([name, each]) => ({
      name, status: 0, attributes: 64, port: null, driver: null, ...each,
    }));
    return { printers, default: world.default ?? "" };
  }
  if (found === undefined) return refuse(1801, false);
  if (ask.do === "state") return { status: 0, attributes: 64, ...found };
  const how = world.instead?.[ask.do];
  if (how === "refuse" || how === "half") return refuse(5, how === "half");
  keep(ask.do, ask);
  if (ask.do === "print") return (polls = 0), { job: 7 };
  if (ask.do === "cancel") return {};
  const status = world.job?.[polls++];
  return status === undefined ? refuse(87, true) : { status };
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (/[^ -~]/.test(line)) throw new Error("not in ASCII: " + line);
  const ask = JSON.parse(line);
  const world = JSON.parse(fs.readFileSync(join(folder, "world"), "utf8"));
  const how = world.instead?.[ask.do];
  if (how === "hang") return keep("hung", ask.do);
  if (how === "die") {
    console.error("Cannot invoke method.");
    return process.exit(1);
  }
  const json = JSON.stringify(answer(ask, world));
  const ascii = json.replace(/[^ -~]/g, (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
  console.log(how === "chatter" ? "WARNING: something" : ascii);
});
`;

/** A Windows with these printers, whose PowerShell is a stand-in that speaks as our script for it does. */
export function windowsSpooler(world: SpoolerWorld) {
  const folder = temporaryFolder();
  // By its absolute path; here that is a file with backslashes in its name.
  const file = join(folder, String.raw`WINNT\System32\WindowsPowerShell\v1.0\powershell.exe`);
  writeFileSync(file, `#!${process.execPath}\n${standIn}`);
  chmodSync(file, 0o755);
  const change = (next: Partial<SpoolerWorld>): void =>
    writeFileSync(join(folder, "world"), JSON.stringify(Object.assign(world, next)));
  change({});
  const kept = <T>(name: string): T[] => {
    const path = join(folder, name);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as T);
  };
  return {
    platform: "win32" as const,
    env: { SystemRoot: join(folder, "WINNT"), BPOS_TEST_SPOOLER: folder },
    change,
    /** How often PowerShell was started, with which arguments. */
    starts: () => kept<string[]>("starts"),
    /** The questions that got no answer. */
    hung: () => kept<string>("hung"),
    /** What has been printed on which printer. */
    jobs: () =>
      kept<{ printer: string; bytes: string }>("print").map(({ printer, bytes }) => ({
        printer,
        bytes: Buffer.from(bytes, "base64"),
      })),
    cancelled: () => kept("cancel").length,
  };
}
