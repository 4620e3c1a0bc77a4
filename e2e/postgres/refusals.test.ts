import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { errorOf, people, send, took } from "../../test/support/campaigns.ts";
import { accepted, batches, priceList } from "../../test/support/push.ts";
import { shell } from "../../test/support/run.ts";
import { on, reply, scriptedServer } from "../../test/support/scripted-server.ts";
import { pointedAt } from "../../test/support/service.ts";
import { type Database, database, server, shared } from "../support/postgres.ts";
import { refusingWay } from "../support/refusing-way.ts";
import { patient, shop } from "../support/shop.ts";

const readOnly = "default_transaction_read_only";

describe("a server that takes no writes for a while", () => {
  it.each<[string, () => Promise<{ url: string; set: (isOn: boolean) => Promise<unknown> }>]>([
    [
      "for the sessions that are open",
      async () => {
        const own = await server();
        const { url } = await own.database();
        const set = async (isOn: boolean): Promise<void> => {
          await own.psql(`ALTER SYSTEM SET ${readOnly} = ${isOn}`);
          await own.psql("SELECT pg_reload_conf()");
        };
        return { url, set };
      },
    ],
    [
      "for new sessions, which they stay in",
      async () => {
        const { url, name, terminateBackends } = await database();
        const set = async (isOn: boolean): Promise<void> => {
          await shared().psql(`ALTER DATABASE ${name} SET ${readOnly} = ${isOn}`);
          if (isOn) await terminateBackends();
        };
        return { url, set };
      },
    ],
  ])("%s: two watches deliver all when it takes them again", async (_, open) => {
    const { url, set } = await open();
    const { place, watch, exec, delivered } = await shop(url);
    const watches = [watch("--standby", ...exec), watch("--standby", ...exec)];
    for (const each of watches) await each.said("watch.");
    await set(true);
    await place(3);
    for (const each of watches) await each.said("cannot be reached");
    // Until each of their sessions was made anew, and their locks have lapsed.
    await pause(6_000);
    await set(false);
    await delivered();
    for (const each of watches) {
      await vi.waitFor(() => expect(each.err()).toContain("again after"), patient);
      expect(each.child.exitCode).toBeNull();
    }
  });
});

describe("a watch", () => {
  it.each([
    ["57014", "ERROR"],
    ["40001", "ERROR"],
    ["40P01", "ERROR"],
    ["25006", "ERROR"],
    ["53100", "ERROR"],
    ["53200", "ERROR"],
    ["57P01", "FATAL"],
    ["57P02", "FATAL"],
    ["57P03", "FATAL"],
    ["57P04", "FATAL"],
    ["XX000", "FATAL"],
  ] as const)("goes on when a statement is answered with %s (%s)", async (code, severity) => {
    const { url } = await database();
    const way = await refusingWay(url);
    const { place, watch, exec, delivered } = await shop(way.url);
    const one = watch(...exec);
    await one.said("Watching");
    for (const of of ["INSERT INTO watch_event", "INSERT INTO watch_delivery", "INSERT INTO holder"])
      way.refuse({ of, code, severity });
    await place(2);
    await delivered();
    expect(await one.stop("SIGTERM")).toBe(130);
  });

  it("goes on when whoever lets it in refuses it for a while, as a proxy does that fails over", async () => {
    const { url, name, terminateBackends } = await database();
    const { place, watch, exec, delivered } = await shop(url);
    const one = watch(...exec);
    await one.said("Watching");
    await shared().psql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await terminateBackends();
    await place(2);
    await one.said("cannot be reached");
    await shared().psql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await delivered();
    expect(await one.stop("SIGTERM")).toBe(130);
  });
});

describe("a statement that was cancelled", () => {
  const machine = async ({ url }: Pick<Database, "url">, ...requests: Parameters<typeof scriptedServer>) => {
    const service = await scriptedServer(...requests);
    const way = await refusingWay(url);
    return { ...way, service, run: shell({ env: { ...pointedAt(service.url), BPOS_JOURNAL: way.url } }) };
  };

  it("is made again: a send goes out once", async () => {
    const { run, refuse, service } = await machine(await database(), on("POST /campaigns", took));
    for (const of of ["INSERT INTO send_call", "UPDATE send_call", "INSERT INTO send_report"])
      refuse({ of, code: "57014" });
    const { code, stderr } = await run(send(people(2), "--yes", "--json"));
    expect(code, stderr).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  it("is made again: of a push every answer is kept", async () => {
    const { url, psql } = await database();
    const answer = reply(accepted(1));
    const { run, refuse } = await machine({ url }, ...batches(answer, answer, answer));
    for (let n = 0; n < 2; n++) refuse({ of: "UPDATE push_event SET state = 'answered'", code: "57014" });
    const { code, stderr } = await run(["catalog", "push", priceList(3), "--batch-size", "1", "--json"]);
    expect(code, stderr).toBe(0);
    expect(await psql("SELECT DISTINCT state FROM bpos.push_event")).toEqual([{ state: "answered" }]);
  });

  it("ends a send with 9 where it is cancelled again and again, and says so", async () => {
    const { run, refuse, service } = await machine(await database());
    refuse({ of: "INSERT INTO send_call", code: "57014", times: 1_000 });
    const { code, stderr } = await run(send(people(2), "--yes", "--json"));
    expect(code, stderr).toBe(9);
    expect(errorOf(stderr)).toMatchObject({
      ...{ reason: "journal_unreadable", detail: "the server cancels statements of bpos" },
      hint: expect.stringContaining("statement_timeout") as string,
    });
    expect(service.requests).toEqual([]);
  });
});
