import { files, go, world } from "./language-world.ts";
import type { Case } from "./two-languages.ts";

const inWorld = { ...world(), files };
const stop: Pick<Case, "during"> = { during: ({ stop }) => stop() };
const sent = { ...inWorld, before: ["campaign send q.csv --template qwt --ref r1 --yes".split(" ")] };
const url = "--url {mock}";

/** `bpos mock` and what talks to one: a part of all cases. */
export const mockCases: Readonly<Record<string, readonly Case[]>> = {
  mock: [
    go(0, "mock --port 0", stop),
    go(2, "mock --scenario qx"),
    // The mock speaks as the service does.
    go(2, "mock --port 0 --fault qx", { data: [/fault: [\s\S]*retry-after=N/] }),
  ],
  "mock order": [go(0, `mock order --count 2 ${url}`, inWorld)],
  "mock reply": [
    go(0, `mock reply +5491155550017 Zzyx ${url}`, sent),
    go(11, `mock reply +5491155550017 Zzyx ${url}`, { ...inWorld, data: [/no message went to/] }),
  ],
  "mock advance": [go(0, `mock advance 5m ${url}`, inWorld), go(2, `mock advance qx ${url}`, inWorld)],
  "mock fault": [
    go(0, ["mock", "fault", "POST /campaigns status=502", "--url", "{mock}"], inWorld),
    go(0, `mock fault --list ${url}`, world("GET /v1/orders status=503")),
    go(0, `mock fault --list ${url}`, world()),
    go(0, `mock fault --clear ${url}`, inWorld),
    go(0, `mock fault --remove 1 ${url}`, world("GET /v1/orders status=503", "GET /v1 drop")),
    go(2, `mock fault ${url}`, inWorld),
  ],
  "mock reset": [go(0, `mock reset ${url}`, inWorld)],
  "mock log": [
    go(0, `mock log ${url}`, { ...inWorld, before: [["orders", "list"]] }),
    go(0, `mock log ${url}`, inWorld),
  ],
  "mock orders set": [
    go(0, `mock orders set 1 listo ${url}`, inWorld),
    go(11, `mock orders set 7 listo ${url}`, { ...inWorld, data: [/order \d+ does not exist/] }),
    go(2, `mock orders set qx listo ${url}`, inWorld),
  ],
  "mock templates": [go(0, `mock templates ${url}`, { ...inWorld, data: [/ none /] })],
  "mock clock": [
    go(0, `mock clock ${url}`, inWorld),
    go(0, `mock clock --speed 60 ${url}`, inWorld),
    go(2, `mock clock --speed 60 --freeze ${url}`, inWorld),
  ],
  "mock webhook": [
    go(0, `mock webhook ${url}`, inWorld),
    go(0, `mock webhook http://127.0.0.1:9/ ${url}`, inWorld),
    go(2, "mock webhook"),
  ],
  "mock export": [
    go(0, `mock export {dir}/w.json ${url}`, inWorld),
    go(2, `mock export {dir}/w.json ${url}`, { ...inWorld, files: { "w.json": "{}" } }),
  ],
  "mock import": [
    go(0, `mock import {dir}/w.json ${url}`, {
      ...inWorld,
      before: [`mock export {dir}/w.json ${url}`.split(" ")],
    }),
    go(2, `mock import {dir}/w.json ${url}`, {
      ...inWorld,
      files: { "w.json": "[" },
      data: [/JSON[^:]*: .*/],
    }),
  ],
};
