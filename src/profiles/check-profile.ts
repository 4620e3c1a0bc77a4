import { askService } from "../api/ask.ts";
import { checkKey, createClient } from "../api/client.ts";
import type { Output } from "../cli/display/output.ts";
import type { Runtime } from "../cli/runtime.ts";
import { keyFromCommand } from "../cli/session/access.ts";
import { openServiceNetwork } from "../cli/session/network.ts";
import { openTracing } from "../cli/session/trace.ts";
import { profileClientCert } from "../settings/client-cert.ts";
import type { ProfileDraft } from "./profile-draft.ts";

const checkTimeoutMs = 10_000;

/**
 * Asks the service whether it accepts the key; where only campaigns have an address, nothing cheap can be asked. Throws what the request
 * threw, and `access_denied`.
 */
export async function checkProfile(
  runtime: Runtime,
  output: Output,
  name: string,
  { base_url: baseUrl, key_command: command, api_key = "", ...profile }: ProfileDraft,
): Promise<void> {
  const { system, signal, flags } = runtime;
  const { t } = runtime.texts;
  const apiKey = command === undefined ? api_key : await keyFromCommand(runtime, { profile: name, command });
  checkKey(apiKey);
  system.hide(apiKey);
  if (baseUrl === undefined)
    return output.notice(t("The key was not checked because the address for orders is missing."));

  const clientCert = profileClientCert(system, profile);
  const { dispatcher, proxies } = await openServiceNetwork(runtime, clientCert);
  try {
    const { origin } = new URL(baseUrl);
    proxies?.of(origin);
    const { wouldCall: _none, ...tracing } = openTracing(runtime, {
      apiKey,
      address: baseUrl,
      proxies,
      branch: name,
      clientCert,
    });
    const client = createClient({
      baseUrl,
      campaignsBaseUrl: baseUrl,
      apiKey,
      dispatcher,
      ...tracing,
      clock: system.clock,
      random: system.random,
      timeoutMs: flags.timeout ?? checkTimeoutMs,
      retries: flags.retries ?? 1,
    });
    const asked = await askService(client, "base_url", signal);
    if (asked.kind !== "accepted") throw asked.error;
    const accepted = t(
      "{origin} accepts the key. {waiting, plural, one {# order} other {# orders}} in pendiente.",
      { origin, waiting: asked.waiting ?? 0 },
    );
    await output.notice(accepted);
  } finally {
    await dispatcher.destroy();
  }
}
