import { describe, expect, it } from "vitest";
import { type Answer, fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { shell } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";
import { newIds, watchOnce, watchPolls } from "../support/watch.ts";

const all = Array.from({ length: 45 }, (_, n) =>
  orderOf(n + 1, { created_at: Date.UTC(2026, 0, 1, 11) + n }),
);
const ids = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

interface Service {
  /** Returns `has_more` of a page. */
  more: (page: number) => unknown;
  total: unknown;
  /** It answers every page with the first one. */
  stuck?: boolean;
  /** It refuses a page behind the last one that it lists. */
  lists?: number;
}

async function serviceOf({ more, total, stuck = false, lists = 3 }: Service) {
  const asked: number[] = [];
  const answer: Answer = (url) => {
    const page = Number(url.searchParams.get("page") ?? "1");
    if ((url.searchParams.get("status") ?? "pendiente") !== "pendiente")
      return { body: pageOf([], { total: 0 }) };
    asked.push(page);
    if (page > lists) return { status: 404, body: { code: "X", message: "no such page", payload: "" } };
    const first = stuck ? 0 : (page - 1) * 20;
    return { body: pageOf(all.slice(first, first + 20), { page, total, has_more: more(page) }) };
  };
  return { run: shell({ env: pointedAt(await fixedServer(answer)) }), asked };
}

describe("a total above what the pages held", () => {
  it.each([
    ["says that nothing remains", { more: (): unknown => false, total: 45 }],
    ["leaves has_more out", { more: (): unknown => undefined, total: 45 }],
    ["says its total as a text", { more: (): unknown => false, total: "45" }],
    ["says so at the first page only", { more: (page: number): unknown => page === 2, total: 45 }],
  ])("has every page read where the service %s", async (_name, how) => {
    const { run } = await serviceOf(how);
    const watched = await watchOnce(run);
    expect(newIds(watched)).toEqual(ids(45));
    expect(watched.code).toBe(0);
    expect(watched.stderr).not.toContain("45");
    const listed = await run(["orders", "list", "--all", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ has_more: false, per_page: 45 });
    expect(listed.stderr).not.toContain("45");
  });

  it.each([
    ["answers every page with the first", { more: (): unknown => true, total: 45, stuck: true }],
    ["does so and says that nothing remains", { more: (): unknown => false, total: 45, stuck: true }],
    ["refuses the next page", { more: (): unknown => false, total: 45, lists: 1 }],
  ])("that cannot be reached, as the service %s, is said with both numbers", async (_name, how) => {
    const { run, asked } = await serviceOf(how);
    const watched = await watchOnce(run, "-q");
    expect(newIds(watched)).toEqual(ids(20));
    expect(watched.code).toBe(0);
    expect(watched.stderr).toMatch(/45.*\b20\b/);
    expect(asked.length).toBeLessThan(10);
    const listed = await run(["orders", "list", "--all", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ total: 45, has_more: true, per_page: 20 });
    expect(listed.stderr).toMatch(/45.*\b20\b/);
  });

  it("is said once while it lasts", async () => {
    const { run } = await serviceOf({ more: (): unknown => false, total: 45, stuck: true });
    const { stderr } = await watchPolls(run, { polls: 4 });
    expect(stderr.match(/\b45\b/g), stderr).toHaveLength(1);
  });

  it.each([undefined, null, "many", 3])("is none where the service says total %j", async (total) => {
    const { run, asked } = await serviceOf({ more: (): unknown => false, total });
    const watched = await watchOnce(run);
    expect(newIds(watched)).toEqual(ids(20));
    expect(asked).toEqual([1]);
    expect((await run(["orders", "list", "--all"])).stderr).not.toContain("45");
  });
});

it("orders list names the next page where only the total tells of it", async () => {
  const { run } = await serviceOf({ more: (): unknown => false, total: 45 });
  expect((await run(["orders", "list"], { terminal: 100 })).stdout).toContain("--page 2");
  const last = await run(["orders", "list", "--page", "3"], { terminal: 100 });
  expect(last.stdout).not.toContain("--page 4");
});
