import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import { JournalError, type Turn, takingTurns } from "./engine.ts";
import { databaseTrouble, type Login } from "./postgres-errors.ts";
import { Authentication, buildConfig, type How, type LoginPlan, unusable } from "./postgres-login.ts";

/** A statement that takes longer has lost its server: a network that is cut says nothing. */
const answerMs = 60_000;
const closeMs = 1_000;
/** How many times cancelled work is repeated. */
const againTimes = 3;

/** Messages of a server that wants TLS, or none, instead. */
const otherTls = /does not support SSL|no encryption|SSL off/;

/** 08: connection; 57P: the server stops; 53: it lacks something; 25006: it takes no writes; 25P: it took us for dead. */
const away = /^(08|57P|53|25006|25P0[34])/;
/** Cancelled, or lost against another transaction: nothing of it was written. */
const undone = new Set(["57014", "40001", "40P01"]);
const lockTimeout = "55P03";

/** @param isConnecting whatever the answer is then, a server that let us in before may do so again. */
function journalError(error: unknown, login: Login, isConnecting = false): unknown {
  if (!(error instanceof Error) || error instanceof JournalError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  // The driver gives its own errors of a session no code.
  if (code === "" && !/connection|terminated|timeout|queryable|SSL|SASL|response/i.test(message))
    return error;
  const isAnswer = /^[0-9A-Z]{5}$/.test(code) && "severity" in error;
  const isEnd = isAnswer && /^(FATAL|PANIC)$/.test(String(error.severity));
  const isAway = !isAnswer || isEnd || isConnecting || away.test(code);
  const isHeld = code === lockTimeout || undone.has(code);
  const trouble = isAway ? "down" : isHeld ? "busy" : "failed";
  const detail = databaseTrouble(error, login);
  return new JournalError(message || code, trouble, { cause: error, detail });
}

const isUndone = (error: unknown): boolean =>
  error instanceof JournalError && undone.has((error.cause as { code?: string } | undefined)?.code ?? "");

const readLogin = ({ user = "", database = "" }: Client): Login => ({ user, database });

/** The wishes to stop after which a server gave no answer: whoever ends waits for it once, not with every step that is left. */
const unanswered = new WeakSet<AbortSignal>();

/** Does `late` once the time is over, or soon after the wish to stop; what it returns ends the waiting. */
function limit({ limitMs = answerMs, stop }: How, late: () => void): () => void {
  let timer = setTimeout(late, limitMs);
  const giveUp = (): void => {
    if (stop !== undefined) unanswered.add(stop);
    late();
  };
  const hurry = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, stop !== undefined && unanswered.has(stop) ? 0 : closeMs);
  };
  if (stop?.aborted === true) hurry();
  stop?.addEventListener("abort", hurry, { once: true });
  return () => {
    clearTimeout(timer);
    stop?.removeEventListener("abort", hurry);
  };
}

/** Requirements on a session before it is used. */
export interface Needs {
  /** Settings of each session, as the server writes them. */
  settings: Readonly<Record<string, string | number>>;
  /** Settings that the server may ignore. */
  wishes?: Readonly<Record<string, string>>;
  /** True where the session must take writes. */
  writes: boolean;
}

/** One session with a server: what is done in it, each step with a limit of time. Steps throw JournalError once it is lost. */
export class Session {
  readonly #client: Client;
  readonly #authentication: Authentication;
  readonly #socket: Socket;
  readonly #login: Login;
  readonly #how: How;
  isLost = false;

  constructor(config: ClientConfig, { demands, askPassword }: Omit<LoginPlan, "config">, how: How) {
    this.#how = how;
    this.#socket = new Socket();
    const enableChannelBinding = config.ssl !== false && /prefer|require/.test(demands.binding ?? "");
    this.#client = new Client({ ...config, enableChannelBinding, stream: () => this.#socket });
    this.#authentication = new Authentication(this.#client, demands, askPassword);
    this.#login = readLogin(this.#client);
    const lost = (): void => {
      this.isLost = true;
    };
    this.#client.on("error", lost).on("end", lost);
  }

  /** Throws JournalError, also where a setting does not hold. */
  async connect({ settings, writes }: Needs): Promise<void> {
    await this.step((client) => client.connect(), true);
    this.#authentication.checkOpened();
    const names = [...Object.keys(settings), "transaction_read_only"].map((name) => `'${name}'`).join();
    const text = `SELECT name, setting FROM pg_catalog.pg_settings WHERE name IN (${names})`;
    // A named statement is prepared already in a session that others share.
    const ask = (client: Client) =>
      client.query<{ name: string; setting: string }>({ name: "bpos_settings", text });
    const { rows } = await this.step(ask, true);
    const held = new Map(rows.map(({ name, setting }) => [name, setting.replaceAll(", ", ",")]));
    const lost = Object.entries(settings).filter(([name, value]) => held.get(name) !== String(value));
    const { user, database } = this.#login;
    if (lost.length > 0)
      throw unusable({ kind: "settings_lost", user, database, settings: Object.fromEntries(lost) });
    // The next one may be with another server, or with this one once it takes writes again.
    if (writes && held.get("transaction_read_only") === "on") throw unusable({ kind: "read_only" });
  }

  async step<T>(work: (client: Client) => Promise<T>, isConnecting = false): Promise<T> {
    const end = limit(this.#how, () => this.drop(new Error("timeout expired")));
    try {
      return await work(this.#client);
    } catch (error) {
      const thrown = journalError(error, this.#login, isConnecting);
      // A session that is read-only stays so, and one on a server that stops or lacks something may.
      if (thrown instanceof JournalError && thrown.trouble === "down") this.drop();
      throw thrown;
    } finally {
      end();
    }
  }

  /** Ends the session silently, with every statement that waits for an answer. */
  drop(why?: Error): void {
    this.isLost = true;
    this.#socket.destroy(why);
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.drop(), closeMs);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }
}

/** The way to a server: one session at a time; after a lost one, the next caller opens another. */
export class Connection {
  readonly #turn: Turn = takingTurns();
  readonly #url: string;
  readonly #how: How;
  readonly #needs: Needs;
  #session: Session | undefined;
  #isEnded = false;

  constructor(url: string, how: How, needs: Needs) {
    this.#url = url;
    this.#how = how;
    this.#needs = needs;
  }

  /**
   * Does `work` in a session that is its own meanwhile: what it begins in one never goes on in another. Of a step that was cancelled
   * nothing is left, and `work` is done again. Throws JournalError.
   */
  use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#turn(async () => {
      for (let left = againTimes; ; left--)
        try {
          return await work(await this.#open());
        } catch (error) {
          if (left === 0 || !isUndone(error)) throw error;
        }
    });
  }

  async #open(): Promise<Session> {
    if (!this.#isEnded && (this.#session === undefined || this.#session.isLost))
      this.#session = await this.#connect();
    if (this.#session !== undefined && !this.#isEnded) return this.#session;
    this.#session?.drop();
    throw new JournalError("the journal is closed", "down");
  }

  async #connect(): Promise<Session> {
    const plan = buildConfig(this.#url, this.#how);
    const { config, tries } = plan;
    const { settings: must, wishes } = this.#needs;
    const settings = Object.entries({ ...must, ...wishes }).map(([name, value]) => `-c ${name}=${value}`);
    const options = [config.options ?? "", ...settings].join(" ");
    for (const ssl of tries) {
      const session = new Session({ ...config, options, ssl }, plan, this.#how);
      try {
        await session.connect(this.#needs);
        return session;
      } catch (error) {
        session.drop();
        const isRefused = error instanceof Error && otherTls.test(error.message);
        if (!isRefused || ssl === tries.at(-1)) throw error;
      }
    }
    throw new Error("there is no way to connect");
  }

  /** Ends the session, and whatever waits for an answer in it. */
  drop(): void {
    this.#session?.drop();
  }

  async close(): Promise<void> {
    await this.#session?.close();
    this.#session = undefined;
  }

  /** Closes it for good: a late caller must not open a session that nobody ends. */
  end(): Promise<void> {
    this.#isEnded = true;
    return this.close();
  }
}
