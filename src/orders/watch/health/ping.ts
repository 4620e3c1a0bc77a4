import { setImmediate as turn } from "node:timers/promises";
import { userAgent } from "../../../api/call.ts";
import { send, TransportError } from "../../../api/transport.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import { openNetwork } from "../../../cli/session/network.ts";
import { webUrl } from "../../../contract/addresses.ts";
import type { Detail } from "../../../errors/problems.ts";
import { detailWords } from "../../../errors/words/details.ts";
import { BposError } from "../../../errors.ts";
import type { Undelivered } from "../../../journal/records/watches.ts";
import { type BranchHealth, isRead } from "./report.ts";

const pauseMs = 60_000;
const timeoutMs = 10_000;
const maxBytes = 64 * 1024;

/** Returns the URL. Throws `usage_flag` if it is no http(s) address, or holds a user. Its path is a secret, which no message repeats. */
export function readPingUrl(text: string): URL {
  const url = webUrl(text);
  if (url?.username === "" && url.password === "") return url;
  const problem = { kind: "not_forward_address" } as const;
  throw new BposError("usage_flag", { problem: { kind: "value", flag: "--ping", problem } });
}

interface PingOptions {
  url: URL;
  maxAgeMs: number;
  branches: ReadonlyMap<string, BranchHealth>;
  askOwed: () => Promise<readonly Undelivered[]>;
  warn: (text: string) => Promise<void>;
  signal: AbortSignal;
}

/** A dead man's switch: requests an address for as long as orders reach their outputs. Nothing waits for it. */
export class Ping {
  readonly #runtime: Runtime;
  readonly #options: PingOptions;
  readonly #underWay = new Set<Promise<void>>();
  #network: ReturnType<typeof openNetwork> | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #isFailSaid = false;
  /** The branch whose check is under way, and the one to check after it. */
  #checked: string | undefined;
  #next: string | undefined;

  constructor(runtime: Runtime, options: PingOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  /** Pings if all is well, after a complete poll of a branch or a delivery. */
  reached(branch: string): void {
    if (!this.#isDue()) return;
    if (this.#checked !== undefined) this.#next = branch;
    else this.#start(this.#checkAll(branch));
  }

  /** Pings URL/fail, once in an outage that has lasted for too long. */
  failed(): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#start(this.#send("/fail"));
  }

  /** Resolves once the requests under way have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    await (await this.#network?.catch(() => undefined))?.dispatcher.destroy();
  }

  #now(): number {
    return this.#runtime.system.clock.now();
  }

  /** Whether a minute has passed since the last ping; a clock that was set back must not silence it. */
  #isDue(): boolean {
    return Math.abs(this.#now() - this.#lastAt) >= pauseMs;
  }

  #start(work: Promise<void>): void {
    const ended = work.catch(() => undefined).finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  async #checkAll(branch: string): Promise<void> {
    this.#checked = branch;
    while (this.#checked !== undefined) {
      await this.#pingIfWell(this.#checked);
      this.#checked = this.#next;
      this.#next = undefined;
    }
  }

  async #pingIfWell(branch: string): Promise<void> {
    // The last delivery may be the last of those that had failed.
    await turn();
    if (!this.#isDue() || !this.#allRead() || (await this.#owes(branch))) return;
    this.#lastAt = this.#now();
    this.#hasFailed = false;
    await this.#send("");
  }

  #allRead(): boolean {
    const facts = { now: this.#now(), maxAgeMs: this.#options.maxAgeMs };
    return [...this.#options.branches.values()].every(
      (health) =>
        isRead(health, facts) &&
        (health.state === "standby" || (health.state === "ok" && health.polledAt !== null)),
    );
  }

  /**
   * Whether an output has not received everything. In other branches only deliveries that fail or are old count: one of many always
   * has something new.
   */
  async #owes(branch: string): Promise<boolean> {
    const owed = await this.#options.askOwed().catch(() => undefined);
    if (owed === undefined) return true;
    const waits = (name: string, { outputs, watchId }: BranchHealth): boolean =>
      owed
        .filter((each) => each.watchId === watchId && outputs.has(each.output))
        .some(
          ({ output, oldestAt }) =>
            name === branch ||
            outputs.get(output)?.failingSince != null ||
            Math.abs(this.#now() - oldestAt) >= pauseMs,
        );
    return [...this.#options.branches].some(([name, health]) => waits(name, health));
  }

  async #send(suffix: string): Promise<void> {
    const { url, signal } = this.#options;
    const { origin, pathname, search, host } = url;
    const path = suffix === "" ? pathname : pathname.replace(/\/$/, "") + suffix;
    const trouble = await this.#request(origin, path + search, signal);
    if (signal.aborted) return;
    const wasSaid = this.#isFailSaid;
    this.#isFailSaid = trouble !== undefined;
    if (trouble === undefined || wasSaid) return;
    const { t } = this.#runtime.texts;
    const facts = { host, why: detailWords(trouble, t) };
    await this.#options.warn(t("The ping to {host} failed: {why}. Orders are still delivered.", facts));
  }

  /** Returns why the request failed; undefined after a success. */
  async #request(origin: string, path: string, signal: AbortSignal): Promise<Detail | undefined> {
    const { caFile } = this.#runtime.flags;
    try {
      this.#network ??= openNetwork(this.#runtime, { timeout: timeoutMs, caFile });
      const { dispatcher } = await this.#network;
      const { status } = await send(dispatcher, {
        method: "GET",
        origin,
        path,
        headers: { "user-agent": userAgent },
        body: undefined,
        timeoutMs,
        maxBytes,
        signal,
      });
      return status >= 200 && status < 300 ? undefined : `HTTP ${status}`;
    } catch (error) {
      return error instanceof TransportError ? error.detail : (error as Error).message;
    }
  }
}
