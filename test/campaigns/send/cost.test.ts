import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountWriters } from "../../../src/campaigns/send/cost.ts";
import { type Cost, computeCost } from "../../../src/campaigns/send/prices.ts";
import { toRateCard } from "../../../src/settings/rates.ts";
import { terminal } from "../../cli/ui.ts";
import { errorOf, recipientsFile, send } from "../../support/campaigns.ts";
import { home } from "../../support/profiles.ts";
import { service } from "../../support/service.ts";

const card = { currency: "USD", AR: "0.0618", MX: "0.0436" };
const people = [
  "+5491150000017,Ana,1",
  "+5491150000027,Leo,2",
  "+5491150000037,Eva,3",
  "+525512345678,Sol,4",
];

async function desk(rates: object | undefined, list: readonly string[] = people) {
  const { mock, env } = await service();
  const { run, write } = home({ env: { ...env, NO_COLOR: "1" } });
  write({ default: "centro", profiles: { centro: { rates } } });
  const file = recipientsFile(list);
  const messages = async (): Promise<number> => (await mock.control.messages()).length;
  return { mock, messages, run, to: (...more: string[]) => run(send(file, ...more)) };
}

const costOf = (stdout: string): Cost => (JSON.parse(stdout) as { cost: Cost }).cost;

describe("the cost of a campaign", () => {
  it("is shown by country before the send, and reported as it was spent", async () => {
    const { to, messages } = await desk(card);
    const preview = await to("--dry-run");
    expect(preview.stdout).toMatch(/Argentina +3 +US\$ 0,0618 +US\$ 0,19/);
    expect(preview.stdout).toMatch(/Total US\$ 0,23\b/);
    const expected = {
      ...{ currency: "USD", total: "0.229", unpriced: 0 },
      countries: [
        { country: "AR", recipients: 3, price: "0.0618", cost: "0.1854" },
        { country: "MX", recipients: 1, price: "0.0436", cost: "0.0436" },
      ],
    };
    expect(costOf((await to("--dry-run", "--json")).stdout)).toEqual(expected);
    expect(costOf((await to("--yes", "--json")).stdout)).toEqual(expected);
    const again = costOf((await to("--yes", "--json")).stdout);
    expect(again).toEqual({ currency: "USD", total: "0", unpriced: 0, countries: [] });
    expect(await messages()).toBe(4);
  });

  it("of a call that was lost is reported by the resume that settles it", async () => {
    const { mock, run, to } = await desk(card);
    await mock.control.addFault({ method: "POST", path: "/campaigns", effect: "commit-drop", times: 1 });
    const lost = await to("--yes", "--json", "--retries", "0", "--ref", "enero");
    expect([lost.code, costOf(lost.stdout).total]).toEqual([7, "0"]);
    expect(costOf((await run(["campaign", "resume", "--json"])).stdout).total).toBe("0.229");
  });

  it("is limited by --max-cost before anything is sent, to the last digit", async () => {
    const { to, messages } = await desk(card);
    const over = await to("--yes", "--json", "--max-cost", "0.2289");
    expect([over.code, errorOf(over.stderr)]).toMatchObject([2, { reason: "cost_too_high", cost: "0.229" }]);
    expect((await to("--dry-run", "--max-cost", "0,2289")).code).toBe(2);
    expect((await to("--yes", "--max-cost", "50.000")).stderr).toContain("could be 50 or 50000");
    expect(await messages()).toBe(0);
    expect((await to("--yes", "--max-cost", "0.229")).code).toBe(0);
  });

  it("names each country without a price before anything is sent", async () => {
    const list = [...people, "+59899123456,Luz,5"];
    const { to, messages } = await desk(card, list);
    const limited = await to("--yes", "--max-cost", "50");
    expect(limited.code).toBe(2);
    expect(limited.stderr).toContain("has no price for UY: 1 recipient");
    const preview = await to("--dry-run", "--json");
    expect(costOf(preview.stdout)).toMatchObject({ total: "0.229", unpriced: 1 });
    expect(preview.stderr).toContain("no price for UY");
    expect(await messages()).toBe(0);
    const star = await desk({ ...card, "*": "1" }, list);
    expect(costOf((await star.to("--yes", "--json", "--max-cost", "1.3")).stdout).total).toBe("1.229");
  });

  it("needs a rate card for --max-cost, and refuses a broken one before anything is sent", async () => {
    const none = await desk(undefined);
    expect((await none.to("--yes", "--max-cost", "50")).stderr).toContain("The profile has no rate card.");
    for (const [rates, said] of [
      [{ AR: "0.06" }, "names no currency"],
      [{ currency: "USD" }, "has no price"],
      [{ currency: "dollars", AR: "1" }, '"DOLLARS" is no currency'],
      [{ currency: "USD", Argentina: "1" }, '"Argentina" is no country'],
      [{ currency: "USD", AR: "1", ar: "2" }, "names AR twice"],
      [{ currency: "USD", AR: "0,06" }, '"AR: 0,06" is no price'],
      [{ currency: "USD", AR: "-1" }, '"AR: -1" is no price'],
      [{ currency: "USD", AR: ["1"] }, '"AR: " is no price'],
    ] as const) {
      const { to, messages } = await desk(rates);
      const { code, stderr } = await to("--yes");
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
      expect(await messages()).toBe(0);
    }
  });

  it.each([
    ["USD", ["0.0618", "26.265"], ["0.08", "2616"], ["0,0618", "26,27"], ["0,0800", "2.616,00"]],
    ["USD", ["0.06", "0.0049"], ["1", "0.995"], ["0,06", "0,0049"], ["1,00", "0,9950"]],
    [
      "USD",
      ["1", "9007199254740993.255"],
      ["1", "0"],
      ["1,00", "9.007.199.254.740.993,26"],
      ["1,00", "0,00"],
    ],
    ["CLP", ["45.5", "136.5"], ["60", "1200"], ["45,5", "137"], ["60,0", "1.200"]],
    ["KWD", ["0.02", "1.0005"], ["0.018", "0.3"], ["0,020", "1,001"], ["0,018", "0,300"]],
  ])("of %s has equally many decimals in a column: %j, %j", (currency, one, other, ...expected) => {
    const countries = [one, other].map(([price = "", cost = ""]) => {
      return { country: "AR", recipients: 1, price, cost };
    });
    const { price, sum } = amountWriters({ currency, total: "0", unpriced: 0, countries }, terminal(80));
    const said = countries.map((row) => [price(row.price), sum(row.cost)]);
    expect(said.map((texts) => texts.map((text) => text.replace(/[^\d.,]/g, "")))).toEqual(expected);
  });

  it.each([
    ["+12025550123", "US"],
    ["+14165550123", "CA"],
    ["+18095551234", "DO"],
    ["+79161234567", "RU"],
    ["+77011234567", "KZ"],
    ["+447400123456", "GB"],
    ["+447781123456", "GG"],
    ["+393123456789", "IT"],
    ["+3906698", "VA"],
    ["+800123456789", null],
  ])("of %s is that of %s, though its code is shared", (phone, country) => {
    const prices = new Map([["*", "9"], ...(country === null ? [] : ([[country, "1"]] as const))]);
    // One that the library cannot place says nothing of those that begin as it does.
    const [found] = computeCost([`${phone}0000`, phone], { currency: "USD", prices }).countries.filter(
      (row) => row.country === country,
    );
    expect(found).toMatchObject({ country, price: country === null ? "9" : "1" });
  });

  it("adds up without rounding, whatever the prices", () => {
    const price = fc
      .tuple(fc.nat(9_999), fc.nat(999_999))
      .map(([whole, part]) => `${whole}.${String(part).padStart(6, "0")}`);
    fc.assert(
      fc.property(price, price, fc.nat(40), fc.nat(40), (one, other, ar, mx) => {
        const rates = toRateCard({ currency: "USD", AR: one, "*": other }, "");
        const phones = [
          ...Array<string>(ar).fill("+5491150000017"),
          ...Array<string>(mx).fill("+525512345678"),
        ];
        const units = (text: string): bigint => BigInt(text.replace(".", ""));
        const [whole = "", part = ""] = computeCost(phones, rates).total.split(".");
        expect(BigInt(whole + part.padEnd(6, "0"))).toBe(units(one) * BigInt(ar) + units(other) * BigInt(mx));
      }),
    );
  });
});
