import { files, go, world } from "./language-world.ts";
import { fixture } from "./run.ts";
import type { Case } from "./two-languages.ts";

const inWorld = { ...world(), files };
const send = "campaign send q.csv --template qwt";
const phones = fixture("input/recipients-numbers.xlsx");
const twoSheets = fixture("input/two-sheets.xlsx");
const inSheets = [/\S+\.xlsx|Salón|Delivery|Costos/g];
const sent = { ...inWorld, before: [`${send} --ref r1 --yes`.split(" ")] };
const optedOut = { ...inWorld, before: ["campaign optout add +5491155550017".split(" ")] };
const zones = [/America\/\w+/g];
const notFound = [/(?:template|campaign) not found[^."\n]*/i];

/** `bpos campaign`: a part of all cases. */
export const campaignCases: Readonly<Record<string, readonly Case[]>> = {
  "campaign send": [
    go(0, `${send} --yes`, inWorld),
    go(0, `${send} --ref r1 --yes`, sent),
    go(3, "campaign send bq.csv --template qwt --dry-run", inWorld),
    go(3, "campaign send bq.csv --template qwt --yes", inWorld),
    go(3, `campaign send ${phones} --template qwt --dry-run --country AR --errors {dir}/e.xlsx`, {
      ...{ ...inWorld, data: [/\S+\.xlsx|\d\d\/11\/2026|Cliente|importe|fecha|descuento|nombre/g] },
    }),
    go(2, `campaign send ${twoSheets} --template qwt --yes`, { ...inWorld, data: inSheets }),
    go(2, `${send} --yes --exclude ${twoSheets}`, { ...inWorld, data: inSheets }),
    go(2, `${send} --yes --sheet qx`, inWorld),
    go(2, `${send} --yes --errors {dir}/e.xls`, inWorld),
    go(0, send, { ...inWorld, exitInPipe: 2, answers: () => [true] }),
    go(2, send, { ...inWorld, answers: () => [false] }),
    go(2, `${send} --yes --template-text none.csv`, inWorld),
    go(2, `${send} --yes --template-text q.csv`, inWorld),
    go(0, `${send} --test-to +5491155550097 --yes`, inWorld),
    go(10, `${send} --ref r2 --yes`, sent),
    go(10, "campaign send q.csv --template other --ref r1 --yes", sent),
    go(10, `${send} --ref r1-test-1 --yes`, {
      ...inWorld,
      before: [`${send} --ref r1 --test-to +5491155550097 --yes`.split(" ")],
    }),
    go(5, "campaign send q.csv --template qx --yes", { ...inWorld, data: notFound }),
    go(10, `${send} --yes --expect 9`, inWorld),
    go(2, `${send} --yes --exclude x.csv`, inWorld),
    go(7, `${send} --yes --retries 0`, { ...world("POST /campaigns drop times=9"), files }),
    go(130, `${send} --yes`, { ...world("POST /campaigns status=503 times=9"), files, stopAtPause: true }),
    go(2, `${send} --yes --header-url http://q.example/a`, inWorld),
    go(0, `${send} --yes --between 09:00-21:00 --time-zone America/Mexico_City`, { ...inWorld, data: zones }),
    go(0, `${send} --dry-run --at 2h --between 00:00-23:59 --days lun-sab --pace 1/h --canary 1`, {
      ...{ ...inWorld, data: zones },
    }),
    go(130, `${send} --yes --at 2h`, { ...inWorld, stopAtPause: true }),
    go(0, `${send} --yes --canary 1 --max-failed 1`, inWorld),
    go(2, `${send} --yes --between 9-21`),
    go(2, `${send} --yes --between 09:00-09:00`),
    go(2, `${send} --yes --days qx`),
    go(2, `${send} --yes --between 09:00-21:00 --time-zone America/Mexico_Citi`, { data: zones }),
    go(2, `${send} --yes --pace 1/d`),
    go(2, `${send} --yes --pace 0.1/h`),
    go(2, `${send} --yes --canary 99`, inWorld),
    go(2, `${send} --yes --canary 1%`, inWorld),
    go(2, `${send} --yes --at 3h --not-after 2h`, inWorld),
    go(0, `${send} --only-failed-of r1 --dry-run`, sent),
    go(11, `${send} --only-failed-of qx --yes`, sent),
    go(0, `${send} --yes`, optedOut),
    go(2, `${send} --yes --test-to +5491155550017`, optedOut),
  ],
  "campaign status": [
    go(0, "campaign status --ref r1", sent),
    go(130, "campaign status --ref r1 --watch", { ...sent, stopAtPause: true }),
    go(8, "campaign status --ref r1 --wait 10s", sent),
    go(11, "campaign status --ref qx", inWorld),
    go(11, "campaign status qx", { ...inWorld, data: notFound }),
  ],
  "campaign find": [
    go(0, "campaign find +5491155550017", sent),
    go(0, "campaign find +5491155550017", optedOut),
    go(11, "campaign find +5491155550999", inWorld),
    go(2, "campaign find 155555", inWorld),
    go(2, "campaign find 155555 --country qx", inWorld),
    go(6, "campaign find +5491155550017 --retries 0", {
      ...world("GET /campaigns status=503 times=9"),
      ...{ files, before: [`${send} --yes`.split(" ")] },
    }),
  ],
  "campaign list": [go(0, "campaign list", sent), go(0, "campaign list", inWorld)],
  "campaign resume": [
    go(0, "campaign resume", {
      ...world("POST /campaigns status=502 times=1"),
      ...{ files, before: [`${send} --yes --retries 0`.split(" ")] },
    }),
    go(0, "campaign resume", inWorld),
    go(11, "campaign resume qx", inWorld),
  ],
  "campaign listen": [
    go(2, "campaign listen --host q.example --port 0", inWorld),
    go(2, "campaign listen --opt-out-words none.csv", inWorld),
  ],
  "campaign optout add": [
    go(0, "campaign optout add +5491155550017 +5491155550027", optedOut),
    go(2, "campaign optout add 155555", inWorld),
  ],
  "campaign optout remove": [
    go(0, "campaign optout remove +5491155550017 --reason qx", optedOut),
    go(0, "campaign optout remove +5491155550017", { ...optedOut, exitInPipe: 2, answers: () => ["", "qx"] }),
    go(11, "campaign optout remove +5491155550027 --reason qx", optedOut),
  ],
  "campaign optout list": [go(0, "campaign optout list", optedOut), go(0, "campaign optout list", inWorld)],
  "campaign optout import": [
    go(0, "campaign optout import q.csv", inWorld),
    go(3, "campaign optout import bq.csv", inWorld),
  ],
  "campaign optout export": [
    go(0, "campaign optout export {dir}/o.csv", optedOut),
    go(2, "campaign optout export o.json", { ...optedOut, data: [/<file>/] }),
  ],
  "campaign optout review": [go(0, "campaign optout review", inWorld)],
};
