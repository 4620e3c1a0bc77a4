import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import { Live, type LiveParts, type Reader } from "./page.tsx";

/** Where replies are posted to, and a button that ends it. */
export function webhookPart({ webhook, texts }: Reader): LiveParts {
  const words = texts.webhook;
  const url = webhook.url();
  const render = (): JSX.Element =>
    url === null ? (
      <span class="dim">{words.none}</span>
    ) : (
      <>
        {words.postedTo} <bdi class="mono">{url}</bdi>{" "}
        <button
          type="button"
          id="remove-webhook"
          hx-put="/_mock/webhook"
          hx-vals='{"url":null}'
          hx-swap="none"
          data-done={words.removed}
        >
          {words.remove}
        </button>
      </>
    );
  return { webhook: { key: url ?? "", render } };
}

/** The webhook as it is, and a form that sets another. */
export function WebhookForm({ texts, parts }: { texts: ConsoleTexts; parts: LiveParts }): JSX.Element {
  const words = texts.webhook;
  return (
    <>
      <Live id="webhook" parts={parts} tag="p" />
      <form class="line" hx-put="/_mock/webhook" hx-swap="none" data-done={words.wasSet}>
        <label>
          {words.address} <input type="url" name="url" required value="http://127.0.0.1:4020/" />
        </label>
        <button type="submit">{words.set}</button>
      </form>
    </>
  );
}
