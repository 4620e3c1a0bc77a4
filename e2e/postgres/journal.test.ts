import { describe, onTestFinished } from "vitest";
import { openJournal } from "../../src/journal/journal.ts";
import { journalContract } from "../../test/journal/contract/journal.ts";
import { database } from "../support/postgres.ts";

const collations: [name: string, how: { locale?: string }][] = [
  ["by bytes", {}],
  ["as in Spanish", { locale: "es" }],
];

describe.each(collations)("the journal on PostgreSQL that sorts %s", (_name, how) => {
  journalContract(async () => {
    const { url } = await database(how);
    const holder = { id: crypto.randomUUID(), pid: 4711, host: "caja-1" };
    const journal = await openJournal(url, { holder, env: {} });
    onTestFinished(() => journal.close().catch(() => undefined));
    return journal;
  });
});
