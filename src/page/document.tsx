import type { JSX } from "hono/jsx/jsx-runtime";
import { readOwnFile } from "../own-files.ts";

/** No script or style but our own files: a text that is markup can do nothing, even if it got into a page. */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

export const toHtml = (element: JSX.Element): string => (element as { toString(): string }).toString();

const htmxConfig = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  defaultSettleDelay: 0,
});

const receipt = "M8 6h16v20l-4-3-4 3-4-3-4 3z";
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e5f"/>' +
  `<path d="${receipt}" fill="#fff"/><path d="M12 12h8M12 17h8" stroke="#0b6e5f" stroke-width="2"/></svg>`;

/** The icon of the tab, beside the name. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d={receipt} />
      <path class="lines" d="M12 12h8M12 17h8" />
    </svg>
  );
}

/** @param props.files where the page's own files are, with a slash at its end. */
export function Head({ title, files, scripts }: HeadProps): JSX.Element {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={htmxConfig} />
      <title>{title}</title>
      <link rel="icon" href={`data:image/svg+xml,${encodeURIComponent(icon)}`} />
      <link rel="stylesheet" href={`${files}console.css`} />
      {scripts.map((name) => (
        <script src={files + name} defer />
      ))}
    </head>
  );
}
interface HeadProps {
  readonly title: string;
  readonly files: string;
  readonly scripts: readonly string[];
}

const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };

/** A script or stylesheet of our pages; undefined where there is none of this name. */
export function readPageFile(name: string): { text: string; type: string } | undefined {
  const [, extension = ""] = /^[a-z]+\.(js|css)$/.exec(name) ?? [];
  if (extension === "") return undefined;
  try {
    const text = readOwnFile(`dist/console/${name}`).toString();
    return { text, type: `${types[extension] ?? ""}; charset=utf-8` };
  } catch {
    return undefined;
  }
}
