import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session.ts";

/** The flags that a header's file is looked at by. */
interface HeaderFlags {
  headerUrl?: string | undefined;
  preflight?: boolean | undefined;
  timeout?: number | undefined;
}

const usualTimeoutMs = 30_000;

/**
 * Looks at the header's file before anything is sent, as the service will see it. A service on
 * this machine is a rehearsal, whose files need not exist. Throws `header_unusable`, `header_unreachable` and `interrupted`.
 */
export async function checkHeader(
  { signal }: Pick<Runtime, "signal">,
  { output, dispatcher, isLocal }: Pick<Session, "output" | "dispatcher" | "isLocal">,
  { headerUrl, preflight, timeout }: HeaderFlags,
): Promise<void> {
  if (headerUrl === undefined || preflight === false) return;
  const { preflightHeader } = await import("./header-preflight.ts");
  if (isLocal) {
    await output.notice(output.texts.notices.headerNotFetched);
    return;
  }
  const timeoutMs = timeout ?? usualTimeoutMs;
  const { warnings } = await preflightHeader(headerUrl, { dispatcher, timeoutMs, signal });
  for (const warning of warnings) await output.warning(output.texts.headerWarning(warning));
}
