import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { expect } from "vitest";
import { createClient } from "../../src/api/client.ts";
import type { Dispatcher } from "../../src/api/transport.ts";
import type { SendRequest } from "../../src/campaigns/send/plan.ts";
import { planAndSend } from "../../src/campaigns/send/send-confirmed.ts";
import { type SendResult, toReport } from "../../src/campaigns/send-report.ts";
import type { CallTools, Transition } from "../../src/campaigns/sending/call-tools.ts";
import { newSending } from "../../src/campaigns/sending/round.ts";
import { sendAndWait } from "../../src/campaigns/sending/send-and-wait.ts";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import { BposError, isReason } from "../../src/errors.ts";
import type { Sql } from "../../src/journal/engine/engine.ts";
import { Journal } from "../../src/journal/journal.ts";
import { FileLocks } from "../../src/journal/locks/lock-files.ts";
import { OptOuts } from "../../src/journal/records/opt-outs.ts";
import type { CallState } from "../../src/journal/records/sends.ts";
import { type SendPlot, start } from "./send-plots.ts";
import { effecting, mortal } from "./watch-fates.ts";

const minute = 60_000;

/** Stands for SIGKILL: after it, nothing that the process does has an effect. */
class Killed extends Error {}

interface Campaign {
  id: string;
  key: string;
  phones: string[];
  at: number;
}

const ownTime = { clockAheadMs: () => undefined, worldTime: (at: number) => at };

/** The state in the journal of a call whose last state in a run that is one. */
const inJournal = new Map<string, CallState | undefined>([
  ...["planned", "not_sent"].map((state) => [state, "planned"] as const),
  ...["pending", "unknown"].map((state) => [state, "attempted"] as const),
  ...["sent", "replayed"].map((state) => [state, "sent"] as const),
  ["removed", undefined],
]);

/** A process that sends on a journal until it is killed, in virtual time, to a service in memory. */
export class SendSimulation {
  now = start;
  readonly campaigns: Campaign[] = [];
  /** When each call was first sent in each life, whatever became of it. */
  readonly attempts: { key: string; people: number; at: number; life: number }[] = [];
  /** The trial as the process knew it when it went on. */
  passedAt: number | undefined;
  ignoredAt: number | undefined;
  /** How many campaigns the service had when each of them was on the list. */
  readonly optedOut = new Map<string, number>();
  readonly transitions: Transition[] = [];
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
      notAfter: this.#plot.notAfter,
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
        // Nothing comes from a dead process.
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

  /** Does what others do to the journal before a step of the process. */
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
      onTransition: (transition) => {
        if (!this.#dead) this.transitions.push(transition);
      },
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
      const before = this.transitions.length;
      const end = await this.#live(how, ignoreCanary);
      if (!this.#dead) await this.#checkJournal(this.transitions.slice(before));
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
      if (failures.some((each) => isReason(each, "too_late") || isReason(each, "too_late_unknown")))
        return "stuck";
      // On all clocks of a country at once it was so until one was changed.
      if (failures.some((failure) => isReason(failure, "usage_flag"))) return "stuck";
      const known = ["outcome_unknown", "unavailable", "canary_failed", "opted_out_unknown"];
      for (const { reason } of failures) expect(known, reason).toContain(reason);
      expect(this.#life, "it never ends").toBeLessThan(60);
    }
  }

  /** After a run that was not killed, the journal agrees with the last state of each call in it. */
  async #checkJournal(transitions: readonly Transition[]): Promise<void> {
    const kept = new Map((await this.calls()).map((call) => [`${call.send_id} ${call.n}`, call.state]));
    const last = new Map(transitions.flatMap(({ of, name, to }) => (of === "call" ? [[name, to]] : [])));
    for (const [name, to] of last) expect(kept.get(name), `${name} is ${to}`).toBe(inJournal.get(to));
    const sends = new Map(transitions.flatMap(({ of, name, to }) => (of === "send" ? [[name, to]] : [])));
    for (const [name, to] of sends) expect(to, name).toBe("ended");
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
