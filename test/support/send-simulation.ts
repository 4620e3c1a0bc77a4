import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import fc from "fast-check";
import { expect } from "vitest";
import { createClient } from "../../src/api/client.ts";
import type { Dispatcher } from "../../src/api/transport.ts";
import type { SendRequest } from "../../src/campaigns/send/plan.ts";
import { canaryPeople } from "../../src/campaigns/send/plan.ts";
import { planAndSend } from "../../src/campaigns/send/send-confirmed.ts";
import { type SendResult, toReport } from "../../src/campaigns/send-report.ts";
import type { CallTools } from "../../src/campaigns/sending/call-tools.ts";
import { openCanary } from "../../src/campaigns/sending/canary.ts";
import { findOpening, findZones } from "../../src/campaigns/sending/hours.ts";
import { newSending } from "../../src/campaigns/sending/round.ts";
import { countOf, findWaiting } from "../../src/campaigns/sending/schedule.ts";
import { sendAndWait } from "../../src/campaigns/sending/send-and-wait.ts";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import { BposError, isReason } from "../../src/errors.ts";
import { findCountries } from "../../src/input/phone.ts";
import type { Sql } from "../../src/journal/engine/engine.ts";
import { Journal } from "../../src/journal/journal.ts";
import { FileLocks } from "../../src/journal/locks/lock-files.ts";
import { OptOuts } from "../../src/journal/records/opt-outs.ts";
import { type SendPlot, start } from "./send-plots.ts";
import { effecting, mortal } from "./watch-fates.ts";

const minute = 60_000;

/** Stands for SIGKILL: from it on nothing that the process does has an effect. */
class Killed extends Error {}

interface Campaign {
  id: string;
  key: string;
  phones: string[];
  at: number;
}

const ownTime = { clockAheadMs: () => undefined, worldTime: (at: number) => at };

/** A process that sends on a journal until it is killed, in virtual time, to a service in memory. */
class SendSimulation {
  now = start;
  readonly campaigns: Campaign[] = [];
  /** When each call was first sent in each life, whatever became of it. */
  readonly attempts: { key: string; people: number; at: number; life: number }[] = [];
  /** What the process knew of the trial when it went on. */
  passedAt: number | undefined;
  ignoredAt: number | undefined;
  /** How many campaigns the service had when each of them was on the list. */
  readonly optedOut = new Map<string, number>();
  #transactions = 0;
  readonly #plot: SendPlot;
  readonly #sql: Sql;
  readonly #branch = crypto.randomUUID();
  readonly #kills: SendPlot["kills"];
  #effects = 0;
  #posts = 0;
  #life = 0;
  #dead = false;
  #underWay = 0;
  mostUnderWay = 0;
  #stop = new AbortController();

  constructor(plot: SendPlot, sql: Sql) {
    this.#plot = plot;
    this.#sql = sql;
    this.#kills = [...plot.kills];
  }

  /** Every effect begins with this; from the kill on it throws, so that a dead process does nothing. */
  readonly #effect = (): void => {
    this.#effects += 1;
    const [kill] = this.#kills;
    if (kill !== undefined && this.#effects > kill.after) {
      if (kill.isStop) this.#stop.abort();
      else this.#dead = true;
    }
    if (this.#dead) throw new Killed();
  };

  request(): SendRequest {
    const { people, schedule, canary } = this.#plot;
    const recipients = people.map(({ phone }, n) => ({ line: n + 2, phone, person: phone, params: "[]" }));
    const form = { format: "csv" as const, encoding: "utf-8", marked: false, delimiter: "," };
    const none = { invalid: [], duplicates: [], excluded: [], notices: [] };
    return {
      reading: {
        form,
        columns: [],
        phoneColumn: "",
        paramNames: [],
        recipients,
        read: people.length,
        ...none,
      },
      branch: this.#branch,
      ref: "r",
      template: { name: "t", id: null, language: null },
      campaignName: undefined,
      headerUrl: undefined,
      headerField: undefined,
      excludedPeople: new Set(),
      perCall: 7,
      notAfter: null,
      schedule,
      canary,
      isTest: false,
      allowRepeat: false,
    };
  }

  #post(body: CampaignRequest): { status: number; body: object } | undefined {
    const key = body.idempotency_key;
    const phones = body.recipients.map(({ phone }) => phone);
    const at = this.now;
    this.#posts += 1;
    const fault = this.#plot.faults.get(this.#posts);
    if (!this.attempts.some((each) => each.key === key && each.life === this.#life))
      this.attempts.push({ key, people: phones.length, at, life: this.#life });
    const known = this.campaigns.find((each) => each.key === key);
    const isLost = fault === "drop" || fault === "502";
    const campaign = known ?? { id: `c${this.campaigns.length}`, key, phones, at };
    if (known === undefined && !isLost) this.campaigns.push(campaign);
    this.now += this.#plot.latency;
    if (fault === "drop" || fault === "commit-drop") return undefined;
    if (fault !== undefined) return { status: 502, body: {} };
    const recipients = { added: phones.length, duplicates: 0, errors: [] };
    const about = { campaign_id: campaign.id, campaign_name: "t", external_ref: "r", status: "sent" };
    return { status: 200, body: { ...about, recipients, replayed: known !== undefined } };
  }

  #status(id: string): { status: number; body: object } {
    const { phones, at } = this.campaigns.find((each) => each.id === id)!;
    this.now += this.#plot.latency;
    const age = this.now - at;
    const recipients = phones.map((phone) => {
      const { fails } = this.#plot.people.find((each) => each.phone === phone)!;
      if (fails && age > 20_000) return { phone, status: "failed", error_message: "It is not there." };
      return { phone, status: age > 3 * minute ? "delivered" : "sent", error_message: "" };
    });
    const failed = recipients.filter(({ status }) => status === "failed").length;
    const counts = { total_recipients: phones.length, pending: 0, sent: phones.length - failed, failed };
    return { status: 200, body: { campaign_id: id, status: "sent", counts, recipients } };
  }

  /** Answers in memory, in place of a socket: the client above it is the real one. */
  readonly #dispatcher: Dispatcher = {
    dispatch: (options, handler) => {
      const controller = { pause: () => undefined, resume: () => undefined, abort: () => undefined };
      const respond = async (): Promise<void> => {
        handler.onRequestStart(controller);
        // Those that are under way with it are sent as well before it is answered.
        if (options.method === "POST") {
          this.#underWay += 1;
          this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay);
          await new Promise(setImmediate);
          this.#underWay -= 1;
        }
        // From a dead process nothing comes.
        const lost = (why: string): void =>
          handler.onResponseError(controller, Object.assign(new Error(why), { code: "ECONNRESET" }));
        if (this.#dead) {
          lost("dead");
          return;
        }
        const answer =
          options.method === "POST"
            ? this.#post((await json(options.body as Readable)) as CampaignRequest)
            : this.#status(options.path.split("/").at(-1)!);
        if (answer === undefined) {
          lost("reset");
          return;
        }
        const headers = { date: new Date(this.now).toUTCString() };
        handler.onResponseStart(controller, answer.status, headers);
        handler.onResponseData(controller, Buffer.from(JSON.stringify(answer.body)));
        handler.onResponseEnd();
      };
      // A check that holds the request back has told its caller.
      respond().catch(() => undefined);
      return true;
    },
    destroy: () => Promise.resolve(),
  };

  /** What others do to the journal, before a step of the process. */
  async #optOut(): Promise<void> {
    const { optOuts, people } = this.#plot;
    const phones = optOuts.flatMap(({ who, before }) => {
      const phone = people[who]?.phone;
      return before === this.#transactions && phone !== undefined && !this.optedOut.has(phone) ? [phone] : [];
    });
    this.#transactions += 1;
    if (phones.length === 0) return;
    const about = { at: this.now, source: "added", text: null } as const;
    await new OptOuts(this.#sql).add(phones.map((phone) => ({ phone, ...about })));
    for (const phone of phones) this.optedOut.set(phone, this.campaigns.length);
  }

  #openJournal(): Journal {
    const sql = mortal(this.#sql, this.#effect);
    const opting: Sql = {
      ...sql,
      transaction: async (work) => {
        await this.#optOut();
        return sql.transaction(work);
      },
    };
    return new Journal(opting, new FileLocks(this.#sql, { id: "", pid: 0, host: "" }, undefined));
  }

  #tools(): CallTools {
    const journal = this.#openJournal();
    const clock = {
      now: () => this.now,
      sleep: (ms: number) =>
        effecting(() => {
          this.now += ms;
          this.#effect();
        }),
    };
    const addresses = { baseUrl: "http://model.test", campaignsBaseUrl: "http://model.test", apiKey: "k" };
    const client = createClient({
      ...{ ...addresses, retries: 1, clock, random: () => 0.5 },
      dispatcher: this.#dispatcher,
    });
    const { signal } = this.#stop;
    return {
      ...{ client, journal, clock, signal, ...ownTime, inFlight: this.#plot.inFlight },
      pause: (wait) =>
        effecting(() => {
          this.#effect();
          if (signal.aborted) throw new BposError("interrupted", { during: "work" });
          // Time went by since, with the calls after that one.
          this.now = Math.max(this.now, wait.at);
          return journal;
        }),
      tell: (event) => {
        if (event.event === "canary_passed") this.passedAt ??= this.now;
        return Promise.resolve();
      },
    };
  }

  /** One life of the process. */
  async #live(how: "send" | "resume", ignoreCanary: boolean): Promise<SendResult[] | "killed" | "refused"> {
    this.#stop = new AbortController();
    const tools = this.#tools();
    if (ignoreCanary) this.ignoredAt ??= this.now;
    try {
      if (how === "send")
        return [
          await planAndSend(this.request(), { planned: 999, expect: undefined }, tools, crypto.randomUUID()),
        ];
      const found = await tools.journal.sends.named(this.#branch, undefined);
      const sendings = found.map((send) => {
        const report = toReport({ send_id: send.send_id, template: "t", external_ref: "r" }, {});
        const how = { allowRepeat: false, ignoreCanary, sendId: send.send_id, inFlight: tools.inFlight };
        return newSending(send, report, how);
      });
      return await sendAndWait(sendings, tools);
    } catch (error) {
      if (this.#dead) return "killed";
      // So many have opted out that the share for the trial is nobody.
      if (isReason(error, "usage_flag") && error.facts.problem.kind === "canary_size") return "refused";
      throw error;
    }
  }

  /** Lets the process live, die and start again until everybody is messaged, or the trial holds the others. */
  async run(): Promise<"sent" | "held" | "stuck"> {
    let how: "send" | "resume" = "send";
    let ignoreCanary = false;
    for (;;) {
      this.#life += 1;
      const end = await this.#live(how, ignoreCanary);
      const kill = this.#dead || this.#stop.signal.aborted ? this.#kills.shift() : undefined;
      this.#dead = false;
      this.#effects = 0;
      this.now += kill?.downMs ?? minute;
      if (end === "refused") return "stuck";
      // Who was killed before the plan was written down has nothing to resume.
      const hasPlan = (await this.calls()).length > 0;
      how = kill !== undefined && (kill.again === "send" || !hasPlan) ? "send" : "resume";
      if (end === "killed" || kill !== undefined) continue;

      const failures = end.flatMap(({ failure }) => failure ?? []);
      const isHeld = failures.some((failure) => isReason(failure, "canary_failed"));
      if (isHeld && !this.#plot.ignoresCanary) return "held";
      ignoreCanary ||= isHeld;
      if (failures.length === 0 && (await this.isDone())) return "sent";
      // Nobody can settle a call that may have left, once somebody in it opted out.
      const isStuck = failures.length > 0 && failures.every((each) => isReason(each, "opted_out_unknown"));
      if (isStuck && (ignoreCanary || this.#plot.canary === undefined)) return "stuck";
      ignoreCanary ||= isStuck;
      // On all clocks of a country at once it was so until one was changed.
      if (failures.some((failure) => isReason(failure, "usage_flag"))) return "stuck";
      const known = ["outcome_unknown", "unavailable", "canary_failed", "opted_out_unknown"];
      for (const { reason } of failures) expect(known, reason).toContain(reason);
      expect(this.#life, "it never ends").toBeLessThan(60);
    }
  }

  async calls() {
    const { sends } = new Journal(
      this.#sql,
      new FileLocks(this.#sql, { id: "", pid: 0, host: "" }, undefined),
    );
    return sends.whole(await sends.callsUnder({ branch: this.#branch, ref: "r" }));
  }

  async isDone(): Promise<boolean> {
    return (await this.calls()).every(({ state }) => state === "sent");
  }
}

function checkHours({ schedule }: SendPlot, { campaigns }: SendSimulation): void {
  const { hours, startAt = 0 } = schedule;
  for (const { phones, at, id } of campaigns) {
    expect(at, `${id} before --at`).toBeGreaterThanOrEqual(startAt);
    if (hours === undefined) continue;
    for (const phone of phones) {
      const zones = findZones(findCountries(phone), hours.timeZones, start);
      expect(findOpening(zones, hours, at), `${phone} outside its hours`).toBe(at);
    }
  }
}

function checkPace({ schedule: { pace } }: SendPlot, { attempts }: SendSimulation): void {
  if (pace === undefined) return;
  for (const [n, { at }] of attempts.entries()) {
    const before = attempts[n - 1];
    if (before === undefined) continue;
    expect(at - before.at, "faster than the pace").toBeGreaterThanOrEqual(
      Math.floor((before.people * pace.perMs) / pace.people),
    );
  }
}

/** Nobody but the trial's people gets a message before the trial has passed, or is ignored. */
async function checkCanary(plot: SendPlot, simulation: SendSimulation): Promise<void> {
  const { canary, schedule } = plot;
  if (canary === undefined) return;
  const calls = await simulation.calls();
  const trial = calls.filter(({ is_canary }) => is_canary === 1);
  // Where all of them opt out before they are messaged, there is no trial.
  const drawn = canaryPeople(simulation.request(), simulation.request().reading.recipients, []);
  if ([...drawn].every((person) => simulation.optedOut.has(person))) return;
  const keys = new Set(trial.map(({ idempotency_key }) => idempotency_key));
  const others = simulation.campaigns.filter(({ key }) => !keys.has(key));
  const people = trial.reduce((sum, each) => sum + each.people, 0);
  if (simulation.optedOut.size === 0) expect(people).toBe(countOf(canary, plot.people.length));
  const released = Math.min(
    simulation.passedAt ?? Number.POSITIVE_INFINITY,
    simulation.ignoredAt ?? Number.POSITIVE_INFINITY,
  );
  for (const { at } of others) expect(at, "before the trial passed").toBeGreaterThanOrEqual(released);
  if (simulation.passedAt !== undefined && simulation.ignoredAt === undefined) {
    const phones = new Set(
      trial.flatMap(({ body }) => (JSON.parse(body) as CampaignRequest).recipients.map((r) => r.phone)),
    );
    const failed = plot.people.filter(({ phone, fails }) => fails && phones.has(phone)).length;
    expect(failed).toBeLessThanOrEqual(countOf(schedule.canary!.maxFailed, people));
  }
  if (others.length > 0) expect(openCanary(calls)).toEqual([]);
}

/** Plays a plot, and checks who was messaged, and when. */
export async function checkSend(plot: SendPlot, sql: Sql): Promise<void> {
  await sql.run("DELETE FROM opt_out");
  const simulation = new SendSimulation(plot, sql);
  const { schedule, canary, reading } = simulation.request();
  fc.pre(canary === undefined || countOf(canary, plot.people.length) > 0);
  fc.pre(canary === undefined || countOf(canary, plot.people.length) <= plot.people.length);
  const bodies = reading.recipients.map(({ phone }) => ({
    body: JSON.stringify({ recipients: [{ phone, params: [] }] }),
    people: 1,
  }));
  try {
    findWaiting(bodies, { schedule, notAfter: null }, simulation.now);
  } catch {
    // Its hours never come: it is refused before anything is sent.
    fc.pre(false);
  }

  const end = await simulation.run();
  expect(simulation.mostUnderWay).toBeLessThanOrEqual(plot.inFlight);
  if (schedule.pace !== undefined) expect(simulation.mostUnderWay).toBeLessThanOrEqual(1);
  const messaged = simulation.campaigns.flatMap(({ phones }) => phones);
  expect(new Set(messaged).size, "somebody was messaged twice").toBe(messaged.length);
  const everybody = plot.people.map(({ phone }) => phone).toSorted();
  const wanted = everybody.filter((phone) => !simulation.optedOut.has(phone));
  if (end === "sent") expect(messaged).toEqual(expect.arrayContaining(wanted));
  for (const [n, { phones }] of simulation.campaigns.entries())
    for (const phone of phones) {
      const before = simulation.optedOut.get(phone) ?? Number.POSITIVE_INFINITY;
      expect(n, `${phone} had opted out`).toBeLessThan(before);
    }
  checkHours(plot, simulation);
  checkPace(plot, simulation);
  await checkCanary(plot, simulation);
}
