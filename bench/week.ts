// A week of a busy branch on a sped-up clock, with outages, restarts of the service and kills: npm run bench:week [-- --minutes 60]
// Measures the processes over the week, and whether all orders and messages of the mock's world arrived once. Needs Linux.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { orderStates } from "../src/contract/limits.ts";
import { freePort } from "./mock.ts";
import { customers, npm, path, priceList, sendOf, World } from "./support.ts";
import { Branch, titles } from "./week-branch.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const weekHours = 7 * 24;
const speed = (weekHours * 60) / Number(values.minutes);
const rowEveryH = 12;
const perDay = 50;
const write = (text: string): void => void process.stdout.write(`${text}\n`);

/** Random numbers from 0 to 1 that a seed repeats. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Events of a branch in a week. */
const faults = [
  "* / status=503 times=10",
  "* / drop times=5",
  "POST / commit-drop times=2",
  "GET /v1/orders truncate times=3",
  "GET /v1/orders shift times=5",
  "GET /v1/orders late times=5",
  "* / html times=5",
];

/** Orders of the world that were not printed, those printed twice without saying so, messages that are missing or went out twice. */
async function lossesOf(branch: Branch, recipients: number): Promise<string[]> {
  const ids = new Set<number>();
  for (const status of orderStates)
    for (let page = 1, more = true; more; page += 1) {
      const query = `status=${status}&page=${page}`;
      const listed = await branch.get<{ orders: { order_id: number }[]; has_more: boolean }>(
        `/v1/orders?${query}`,
      );
      for (const order of listed.orders) ids.add(order.order_id);
      more = listed.has_more;
    }
  const { messages } = await branch.get<{ messages: { phone: string }[] }>("/_mock/messages");
  const { campaigns } = await branch.get<{ campaigns: { counts: { total_recipients: number } }[] }>(
    "/_mock/campaigns",
  );
  const people = campaigns.reduce((sum, { counts }) => sum + counts.total_recipients, 0);
  const lost = [...ids].filter((id) => !branch.printed.has(id));
  const repeated = [...branch.printed].filter(([, { unmarked }]) => unmarked > 1);
  const marked = [...branch.printed.values()].reduce((sum, times) => sum + times.marked, 0);
  write(
    `\n${ids.size} orders, ${marked} deliveries marked repeated, ${people} recipients, ${messages.length} messages`,
  );
  return [
    ...lost.map((id) => `order ${id} was not delivered`),
    ...repeated.map(([id]) => `order ${id} was delivered twice, unmarked`),
    ...(people === recipients ? [] : [`${recipients} recipients were sent, the service has ${people}`]),
    ...(new Set(messages.map(({ phone }) => phone)).size === messages.length
      ? []
      : ["a phone got two messages"]),
  ];
}

/** Simulates an hour of the week: occasional faults and kills, and once a day a price list and a campaign. */
async function liveHour(
  world: World,
  branch: Branch,
  { hour, random }: { hour: number; random: () => number },
) {
  if (random() < 0.15)
    await branch.control("POST", "faults", { rule: faults[Math.floor(random() * faults.length)] });
  if (random() < 0.04) await branch.killWatch();
  if (random() < 0.06) await branch.killMock(random() * 5_000);
  if (hour % 24 !== 10) return;
  const day = (hour - 10) / 24;
  const people = customers(world, perDay, day * perDay);
  const killAfterMs = 100 + random() * 500;
  await branch.insist(["catalog", "push", priceList(world, 5_000 + day), "-q"], killAfterMs);
  await branch.insist(sendOf(people, "--ref", `day-${day}`), killAfterMs);
}

async function live(world: World): Promise<string[]> {
  const branch = new Branch(world, { port: await freePort(), speed, seed: values.seed });
  await branch.startMock();
  branch.startWatch();
  await branch.hurry();
  const random = randomOf(Number(values.seed));
  const began = await branch.now();
  const found: string[] = [];
  write(titles.join("  "));
  for (let hour = 1; hour <= weekHours; hour += 1) {
    while ((await branch.now()) < began + hour * 3_600_000) await pause(100);
    if (branch.watch?.exitCode !== null) {
      found.push(`the watch ended by itself before hour ${hour}`);
      branch.startWatch();
    }
    await liveHour(world, branch, { hour, random });
    if (hour % rowEveryH === 0) write(branch.row(hour));
  }
  await branch.control("POST", "clock", { frozen: true });
  await branch.control("DELETE", "faults", {});
  // Every tenth poll reads all states, and they come each second.
  await pause(30_000);
  return [...found, ...(await lossesOf(branch, 7 * perDay))];
}

const lack = npm(["run", "build"], path(".."));
if (lack !== undefined) throw new Error(lack);
const world = new World(false);
try {
  const found = await live(world);
  write(found.length === 0 ? "Nothing was lost, and nothing repeated unmarked." : found.join("\n"));
  if (found.length > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await world.end();
}
