import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import { Live, type LiveParts, type Reader } from "./page.tsx";
import { Commands, chooseBranch } from "./parts.tsx";

/** The URL that replies are posted to, and a button that ends it. */
export function webhookPart(reader: Reader): LiveParts {
  const { webhook, t } = reader;
  const url = webhook.url();
  const render = (): JSX.Element =>
    url === null ? (
      <>
        <p class="dim">
          {t(
            "No webhook is set, so replies are not posted. Run this in a terminal and set its address here:",
          )}
        </p>
        <Commands reader={reader} branch={chooseBranch(reader)} lines={["bpos campaign listen"]} />
      </>
    ) : (
      <p>
        {t("Replies are posted to")} <bdi class="mono">{url}</bdi>{" "}
        <button
          type="button"
          id="remove-webhook"
          hx-put="/_mock/webhook"
          hx-vals='{"url":null}'
          hx-swap="none"
          data-done={t("Replies are no longer posted.")}
        >
          {t("Remove")}
        </button>
      </p>
    );
  return { webhook: { key: url ?? "", render } };
}

/** The webhook as it is, and a form that sets another. */
export function WebhookForm({ t, parts }: { t: T; parts: LiveParts }): JSX.Element {
  return (
    <>
      <Live id="webhook" parts={parts} />
      <form
        class="line"
        hx-put="/_mock/webhook"
        hx-swap="none"
        data-done={t("Replies are now posted to this address.")}
      >
        <label>
          {t("Address")} <input type="url" name="url" required value="http://127.0.0.1:4020/" />
        </label>
        <button type="submit">{t("Set // a webhook")}</button>
      </form>
    </>
  );
}
