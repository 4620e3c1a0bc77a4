import { onTestFinished } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { type Run, shell } from "../../support/run.ts";

/** Returns the text at a path of the page; the spaces of amounts, which do not break, are plain ones here. */
export async function page(mock: RunningMock, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(mock.baseUrl + path, { headers });
  const html = (await response.text()).replaceAll("\u00a0", " ");
  return { status: response.status, headers: response.headers, html };
}

/** The HTML at a path of the page. */
export async function pageAt(...of: Parameters<typeof page>): Promise<string> {
  return (await page(...of)).html;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
const decode = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? "");

/** The text of some HTML, as a person reads it. */
export const textOf = (html: string): string =>
  decode(html.replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();

/** The address of the first link whose id begins so. */
export const linkOf = (html: string, id: string): string =>
  decode(new RegExp(`<a id="${id}[^>]* href="([^"]*)"`).exec(html)?.[1] ?? "");

/** The texts of all elements of a kind, for example `tr` or `li`. */
export const textsOf = (html: string, tag: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<${tag}\\b.*?</${tag}>`, "gs")), ([element]) => textOf(element));

/** Runs the commands that the page offers to copy, as a shell would. */
export function runCopied(html: string): Promise<Run> {
  const lines = decode(/data-copy="([^"]*)"/.exec(html)?.[1] ?? "").split("\n");
  const set = lines.slice(0, -1).map((line) => line.replace("export ", "").split("=") as [string, string]);
  const env = Object.fromEntries(set);
  const [, stdin = "", argv = ""] = /^printf '(.*)' \| bpos (.*)$/.exec(lines.at(-1) ?? "") ?? [];
  return shell({ env })(argv.split(" "), {
    stdin: stdin.replaceAll("\\n", "\n"),
  });
}

/** Opens the stream of the page at a path: `next` resolves with the coming event that has one of the ids. */
export async function streamOf(mock: RunningMock, path: string) {
  const [, address = ""] = /sse-connect="([^"]*)"/.exec(await pageAt(mock, path)) ?? [];
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const { body } = await fetch(mock.baseUrl + decode(address), { signal: over.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const events: { id: string; html: string }[] = [];
  return {
    /** The events until one has the id, that one last. */
    async until(id: string): Promise<typeof events> {
      for (;;) {
        const place = events.findIndex((event) => event.id === id);
        if (place >= 0) return events.splice(0, place + 1);
        const { value } = (await reader?.read()) ?? {};
        if (value === undefined) throw new Error("the stream ended");
        // A lone CR ends a line of a stream too.
        text += value.replace(/\r\n?/g, "\n");
        const whole = text.split("\n\n");
        text = whole.pop() ?? "";
        for (const event of whole) {
          const [, name = "", data = ""] = /^id: \S+\nevent: (\S+)\ndata: (.*)$/s.exec(event) ?? [];
          events.push({ id: name, html: data.replaceAll("\ndata: ", "\n") });
        }
      }
    },
  };
}
