import { connect, type LookupFunction, type Socket } from "node:net";
import type { SecureContext, TLSSocket } from "node:tls";
import type { CertificateFault } from "../errors/doctor-check.ts";
import type { Detail } from "../errors/problems.ts";
import type { ProxyTrouble } from "../errors.ts";
import { type NamedProxy, ProxyError } from "./proxy.ts";
import { explainFailure } from "./transport.ts";
import { openTunnel, speakTls } from "./tunnel.ts";

/** How long a step may take, in milliseconds, and what ends it before that. */
export interface StepLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

/** What a step brought, or what was in its way. */
export type Step<T> =
  | { kind: "done"; value: T }
  | { kind: "failed"; detail: Detail; trouble: ProxyTrouble | undefined };

/** Who is called. */
export interface ProbeTarget {
  /** Without brackets. */
  host: string;
  port: number;
  isTls: boolean;
}

/** The way to the target: the addresses of whom this machine connects to, and the proxy where that is one. */
export interface ProbeWay {
  addresses: readonly { address: string; family: number }[];
  proxy: NamedProxy | undefined;
  secureContext: SecureContext | undefined;
}

/** What the other end showed of itself. */
export interface Certificate {
  /** Epoch milliseconds. */
  until: number;
  issuer: string;
  /** Absent where it is accepted; `said` is the library's own word for it. */
  fault?: { kind: CertificateFault; said: string };
}

/** Scheme, host and port of an origin. */
export function targetOf(origin: string): ProbeTarget {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (isTls ? 443 : 80)), isTls };
}

interface Settle<T> {
  done: (value: T) => void;
  failed: (error: unknown) => void;
}

/** Does one step; `begin` returns what gives it up. Never rejects. */
function step<T>(
  { timeoutMs, signal }: StepLimits,
  begin: (settle: Settle<T>) => () => void,
): Promise<Step<T>> {
  return new Promise((resolve) => {
    let isOver = false;
    let giveUp = (): void => undefined;
    const end = (result: Step<T>): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (result.kind === "failed") giveUp();
      resolve(result);
    };
    const fail = (detail: Detail, trouble?: ProxyTrouble): void => end({ kind: "failed", detail, trouble });
    const onAbort = (): void => fail({ kind: "given_up" });
    const timer = setTimeout(() => fail({ kind: "too_slow", ms: timeoutMs, complete: false }), timeoutMs);
    signal.addEventListener("abort", onAbort);
    giveUp = begin({
      done: (value) => end({ kind: "done", value }),
      failed(error) {
        // Where a host has several addresses, the first refusal says it.
        const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
        fail(explainFailure(first, false).detail, first instanceof ProxyError ? first.trouble : undefined);
      },
    });
    if (signal.aborted) onAbort();
  });
}

function plainConnection(
  { host, port }: { host: string; port: number },
  { addresses }: ProbeWay,
  { done, failed }: Settle<Socket>,
): () => void {
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first = { address: "", family: 4 }] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  const socket = connect({ host, port, lookup });
  socket.on("error", failed).once("connect", () => done(socket));
  return () => socket.destroy();
}

/** Opens a connection to the target: straight, by a tunnel through the proxy, or to the proxy itself for plain http. */
export function openConnection(
  target: ProbeTarget,
  way: ProbeWay,
  limits: StepLimits,
): Promise<Step<Socket>> {
  const { proxy, secureContext } = way;
  return step<Socket>(limits, (settle) => {
    if (proxy === undefined) return plainConnection(target, way, settle);
    if (target.isTls) return openTunnel(proxy, target, { ...settle, secureContext });
    const failed = (error: unknown): void =>
      settle.failed(new ProxyError(proxy, explainFailure(error, false).detail));
    return plainConnection(targetOf(proxy.url.origin), way, { ...settle, failed });
  });
}

function faultOf(said: string): CertificateFault {
  if (said === "CERT_HAS_EXPIRED") return "expired";
  if (said === "CERT_NOT_YET_VALID") return "not_yet";
  if (/ALTNAME|HOSTNAME/.test(said)) return "other_host";
  return /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(said) ? "unknown_ca" : "other";
}

function certificateOf(secure: TLSSocket): Certificate {
  const { valid_to: until, issuer } = secure.getPeerCertificate();
  // Node says why in a code, whatever the types say.
  const said = String(secure.authorizationError);
  return {
    until: Date.parse(until),
    issuer: [issuer.O ?? issuer.CN].flat()[0] ?? "",
    ...(!secure.authorized && { fault: { kind: faultOf(said), said } }),
  };
}

/** Speaks TLS over a connection and looks at the certificate. Nothing is sent to whoever is at the other end. */
export function readCertificate(
  socket: Socket,
  { host }: ProbeTarget,
  { secureContext, ...limits }: StepLimits & Pick<ProbeWay, "secureContext">,
): Promise<Step<Certificate>> {
  return step<Certificate>(limits, ({ done, failed }) => {
    // Only so can a certificate be described that is not accepted; the connection is closed without a word.
    const secure = speakTls(socket, host, { secureContext, rejectUnauthorized: false });
    secure.on("error", failed).once("secureConnect", () => {
      done(certificateOf(secure));
      secure.destroy();
    });
    secure.once("close", () => failed(Object.assign(new Error("the connection was closed"), { code: "" })));
    return () => secure.destroy();
  });
}
