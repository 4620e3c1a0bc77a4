import { defineConfig, mergeConfig } from "vitest/config";
import postgres from "./postgres.config.ts";

/** Tests of commands that `npm test` runs on SQLite: those whose promises the journal keeps. */
const everything = [
  "test/orders/watch/**/!(simulation).test.ts",
  "test/catalog/{price-changes,{push,sending,history}/*}.test.ts",
  "test/campaigns/{send,sending,resume,listen,optout,find}/!(simulation).test.ts",
  "test/maintenance/journal/*.test.ts",
  "test/binary/{kill,push-kills,send-kills,watch,listen}.test.ts",
];
const part = [
  "test/orders/watch/{outputs/outputs,polling/states}.test.ts",
  "test/catalog/push/{changed,recovery}.test.ts",
  "test/campaigns/{send/repeat,resume/recovery,listen/listen}.test.ts",
  "test/maintenance/journal/*.test.ts",
  "test/binary/{kill,push-kills,send-kills,watch,listen}.test.ts",
];

/** The same tests with the journal in PostgreSQL, but for the simulation, which has one in memory. */
export default mergeConfig(
  { ...postgres, test: { ...postgres.test, include: [] } },
  defineConfig({
    test: {
      include: process.env["BPOS_SOAK"] === "1" ? everything : part,
      setupFiles: ["e2e/support/homes.ts"],
      maxWorkers: 2,
    },
  }),
);
