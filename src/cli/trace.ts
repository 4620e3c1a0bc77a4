import type { CallRequest, CallTrace } from "../api/call.ts";
import type { AttemptRecord } from "../api/client.ts";
import type { Proxies } from "../api/proxy.ts";
import type { Texts } from "../i18n/texts.ts";
import type { GlobalFlags } from "./global-flags.ts";
import type { Runtime } from "./runtime.ts";

/** What `--verbose` and `--curl` make of the calls of a branch. */
export interface Tracing {
  onAttempt?: (record: AttemptRecord) => void;
  trace?: CallTrace;
  /** Prints a call that is not made; only with `--curl`. */
  wouldCall?: (name: "pushCatalog" | "sendCampaign", body: Buffer) => void;
}

/** What an attempt came to, in a few words. */
export function outcomeOf({ status, failure, error }: AttemptRecord, { detail }: Texts): string {
  const said = error === undefined ? "" : detail(error);
  return [status, failure === undefined ? said : `${failure}: ${said}`].filter(Boolean).join(" ");
}

/** Whether lines about requests go to standard error, where a live screen would be in their way. */
export const isTraced = ({ verbose, curl }: Pick<GlobalFlags, "verbose" | "curl">): boolean =>
  verbose !== undefined || curl === true;

/** Sets up what tells of the calls with this key to this address of the service. */
export async function openTracing(
  runtime: Runtime,
  { apiKey, address, proxies }: { apiKey: string; address: string; proxies: Proxies | undefined },
): Promise<Tracing> {
  const { texts, system, flags } = runtime;
  const { verbose = 0, curl = false, caFile } = flags;
  if (verbose === 0 && !curl) return {};
  const { masker } = await import("../errors/mask-key.ts");
  const { maskKey, visible } = await import("./format.ts");
  const { answerText, pathText, requestText } = await import("./trace-text.ts");
  const { curlCommand } = await import("./curl.ts");
  const key = maskKey(apiKey);
  const look = { texts, key, scrub: masker(apiKey, key) };
  const write = (text: string): void => {
    // A log line that nobody reads must not stop the work.
    system.stderr.write(`${text.trimEnd()}\n`).catch(() => undefined);
  };
  const printCurl = (request: CallRequest): void => {
    const proxy = proxies === undefined ? undefined : (proxies.of(request.origin)?.variable ?? null);
    write(curlCommand(request, { apiKey, scrub: look.scrub, caFile, proxy }));
  };
  const trace: CallTrace = {
    request(request, attempt) {
      const proxy = proxies?.of(request.origin);
      const via = proxy === undefined ? undefined : `${proxy.shown} (${proxy.variable})`;
      // Another try is the same command again.
      if (curl && attempt === 1) printCurl(request);
      if (verbose > 1) write(requestText(request, look, { attempt, via }));
    },
    answer(answer, request) {
      if (verbose > 1) write(answerText(answer, request, look));
    },
  };
  const onAttempt = (record: AttemptRecord): void => {
    const { endpoint, url, status, ms, attempt, waitMs } = record;
    const outcome = status === undefined ? outcomeOf(record, texts) : String(status);
    const { origin, pathname, search } = new URL(url);
    const request = `${endpoint.split(" ", 1).join("")} ${origin}${pathText(pathname + search, look)}`;
    const line = { endpoint: request, outcome, ms: Math.round(ms), attempt, waitMs };
    write(visible(look.scrub(texts.notices.request(line))));
  };
  const { callRequest } = await import("../api/call.ts");
  const { parseBase } = await import("../api/address.ts");
  const { endpoints } = await import("../contract/endpoints.ts");
  const wouldCall: NonNullable<Tracing["wouldCall"]> = (name, body) => {
    const endpoint = endpoints[name];
    const base = parseBase(endpoint.base, address);
    if (base === undefined) return;
    const there = { origin: base.origin, path: base.path + endpoint.path };
    printCurl(callRequest(endpoint, { address: there, body, signal: undefined }));
  };
  return { trace, ...(verbose > 0 && { onAttempt }), ...(curl && { wouldCall }) };
}
