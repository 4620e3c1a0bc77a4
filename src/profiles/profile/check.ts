import { keyFromCommand, type ProfileDraft } from "../../cli/profiles.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { openNetwork } from "../../cli/session.ts";
import { openTracing } from "../../cli/trace.ts";

/** A person waits for the answer. */
const timeoutMs = 10_000;

/** What the service said to a profile: how many orders wait, and under which address. */
export interface CheckedProfile {
  origin: string;
  waiting: number;
}

/**
 * Asks the service for the first page of what waits, with the key of a profile. Undefined where only campaigns have an
 * address: nothing cheap can be asked there. Throws what the call throws, `key_command_failed` and `key_unreadable`.
 */
export async function checkProfile(
  runtime: Runtime,
  { name, profile }: { name: string; profile: ProfileDraft },
): Promise<CheckedProfile | undefined> {
  const { base_url: baseUrl, key_command: command } = profile;
  const apiKey =
    command === undefined
      ? (profile.api_key ?? "")
      : await keyFromCommand(runtime, { profile: name, command });
  const { askService } = await import("../../api/ask.ts");
  const { checkKey, createClient } = await import("../../api/client.ts");
  checkKey(apiKey);
  runtime.system.hide(apiKey);
  if (baseUrl === undefined) return undefined;
  const { dispatcher, proxies } = await openNetwork(runtime);
  try {
    const { origin } = new URL(baseUrl);
    proxies?.of(origin);
    const { system, signal, flags } = runtime;
    const of = { apiKey, address: baseUrl, proxies };
    const { wouldCall: _none, ...tracing } = await openTracing(runtime, of);
    const client = createClient({
      ...{ baseUrl, campaignsBaseUrl: baseUrl, apiKey, dispatcher },
      ...{ clock: system.clock, random: system.random },
      ...tracing,
      ...{ timeoutMs: flags.timeout ?? timeoutMs, retries: flags.retries ?? 1 },
    });
    const asked = await askService(client, "base_url", signal);
    if (asked.kind !== "accepted") throw asked.error;
    return { origin, waiting: asked.waiting ?? 0 };
  } finally {
    await dispatcher.destroy();
  }
}
