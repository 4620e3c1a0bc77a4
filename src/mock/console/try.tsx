import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";

/** A value that a person may change before the request is made. */
interface Asked {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly value: string;
}

/** A form that makes a real request to this mock, with the key of its first branch. */
export function TryIt({ id, method, address, apiKey, asked, body, texts }: TryProps): JSX.Element {
  const words = texts.docs;
  return (
    <details class="try">
      <summary>{words.tryIt}</summary>
      <form
        data-try={method}
        data-address={address}
        data-key-of={apiKey}
        aria-label={`${words.tryIt}: ${id}`}
      >
        {asked.map(({ name, in: place, required, value }) => (
          <label class="stacked">
            <code>{name}</code>
            <input name={name} data-in={place} required={required} value={value} autocomplete="off" />
          </label>
        ))}
        {body !== undefined && (
          <label class="stacked">
            {words.body}
            <textarea name="body" rows={Math.min(14, body.split("\n").length)} spellcheck={false}>
              {body}
            </textarea>
          </label>
        )}
        <button type="submit" class="primary">
          {method} {words.send}
        </button>{" "}
        <a href="/console/requests">{texts.layout.nav.requests}</a>
        <div role="status" data-result data-none={words.noAnswer} />
      </form>
    </details>
  );
}
interface TryProps {
  readonly id: string;
  readonly method: string;
  readonly address: string;
  readonly apiKey: string;
  readonly asked: readonly Asked[];
  readonly body: string | undefined;
  readonly texts: ConsoleTexts;
}
