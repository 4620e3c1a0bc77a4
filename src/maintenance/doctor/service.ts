import { type AskedService, type AskOptions, askService } from "../../api/ask-service.ts";
import type { Heard } from "../../api/client.ts";
import type { Check, CheckName, Finding, Which } from "../../errors/doctor-check.ts";
import { type Connection, type ConnectionMeans, checkConnection, type ServiceAddress } from "./connection.ts";
import { failed, passed, unchecked, warned } from "./rows.ts";

/** A key, masked too, or the row that says why there is none. */
export type KeyReading = { key: string; shown: string; row: Check } | { key: undefined; row: Check };

/** What a look at an address of the service needs. */
export interface ServiceMeans extends ConnectionMeans {
  key: Promise<KeyReading>;
  /** The profile that the key is from. */
  keyProfile: string | null;
  /** What questions with that key go through, and who hears of them. */
  ask: (key: string | undefined) => Promise<Pick<AskOptions, "dispatcher" | "trace" | "onAttempt">>;
}

/** What a look at one address brought. */
export interface Visit {
  /** Name, connection, TLS and answer. */
  rows: Check[];
  /** Whether the key is taken there. */
  access: Check;
  /** What its answer tells; undefined where there was none. */
  heard: Heard | undefined;
  connection: Connection;
}

const steps = ["dns", "tcp", "tls", "http", "access"] as const;

/** An address that cannot be looked at before another row is put right. */
export function unvisited(which: Which, because: CheckName): Visit {
  const rows = steps.map((step) => unchecked(`${which}_${step}`, because));
  const [access = unchecked(`${which}_access`, because)] = rows.splice(-1);
  return { rows, access, heard: undefined, connection: { rows: rows.slice(0, 3), broken: because } };
}

/** The way to the other address at the same server: looked at once, said once. */
function sameConnection(which: Which, { broken }: Connection): Connection {
  const row = (step: "dns" | "tcp" | "tls"): Check => {
    const name = `${which}_${step}` as const;
    return broken === undefined ? passed(name, { kind: "same_server" }) : unchecked(name, broken);
  };
  return { rows: [row("dns"), row("tcp"), row("tls")], broken };
}

function httpRow(which: Which, { answer, ms }: AskedService): Check {
  const name = `${which}_http` as const;
  const unavailable = (finding: Finding): Check => failed(name, finding, "unavailable");
  switch (answer.kind) {
    case "accepted":
    case "denied":
      return passed(name, { kind: "http_good", status: answer.status, ms });
    case "not_service": {
      const { status, detail, quote } = answer;
      return failed(name, { kind: "http_not_service", which, status, detail, quote }, "usage");
    }
    case "moved":
      return failed(name, { kind: "http_moved", which, status: answer.status, to: answer.to }, "usage");
    case "busy": {
      const finding = { kind: "http_busy", status: answer.status } as const;
      return answer.status === 429 ? warned(name, finding) : unavailable(finding);
    }
    case "silent": {
      const { detail, trouble } = answer;
      return unavailable(
        trouble === undefined ? { kind: "http_failed", detail } : { kind: "proxy_failed", detail, trouble },
      );
    }
  }
}

function accessRow(
  which: Which,
  { answer }: AskedService,
  { reading, profile }: { reading: KeyReading; profile: string | null },
): Check {
  const name = `${which}_access` as const;
  if (reading.key === undefined) return unchecked(name, "key");
  if (answer.kind === "accepted")
    return passed(name, { kind: "access_good", which, waiting: answer.waiting });
  if (answer.kind !== "denied") return unchecked(name, `${which}_http`);
  const { status, said } = answer;
  const finding: Finding = { kind: "access_denied", status, said, shown: reading.shown, profile };
  return failed(name, finding, "denied");
}

/** Looks at an address from its name to whether the key is taken there. */
export async function visitService(
  service: ServiceAddress,
  means: ServiceMeans,
  sameServer?: Promise<Visit>,
): Promise<Visit> {
  const { which, address } = service;
  const connection =
    sameServer === undefined
      ? await checkConnection(service, means)
      : sameConnection(which, (await sameServer).connection);
  const { broken } = connection;
  if (broken !== undefined) {
    const { rows, access } = unvisited(which, broken);
    return { rows: [...connection.rows, ...rows.slice(3)], access, heard: undefined, connection };
  }
  const reading = await means.key;
  const { clock, signal, limitMs: timeoutMs } = means;
  const ask = await means.ask(reading.key);
  const asked = await askService(which, address, { ...ask, apiKey: reading.key, timeoutMs, signal, clock });
  return {
    rows: [...connection.rows, httpRow(which, asked)],
    access: accessRow(which, asked, { reading, profile: means.keyProfile }),
    heard: asked.heard,
    connection,
  };
}
