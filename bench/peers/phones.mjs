// The minimum of reading recipients: parse each phone of a file and do nothing with it.
import { readFileSync } from "node:fs";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";

let read = 0;
for (const line of readFileSync(process.argv[2], "utf8").split("\n").slice(1))
  if (parsePhoneNumberFromString(line.slice(0, line.indexOf(","))) !== undefined) read += 1;
process.stdout.write(`${read}\n`);
