import type { JSX } from "hono/jsx/jsx-runtime";
import { isoTimeToSecond, visible } from "../../cli/display/format.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { Head, toHtml } from "../../page/document.tsx";
import type { ShownPlace } from "../journal/place.ts";
import type { BranchStatus } from "./report.ts";
import type { Status } from "./status.ts";
import {
  branchColumns,
  chooseTone,
  describeWell,
  formatPlace,
  isWell,
  listBehind,
  listTroubles,
} from "./view.ts";

/** What the page shows: how all fare, or why that is not known. */
export interface Shown {
  status: Status | undefined;
  trouble: string | undefined;
}

function Branches({ branches, ui }: { branches: readonly BranchStatus[]; ui: Ui }): JSX.Element {
  const columns = branchColumns(ui, branches);
  const { state } = ui.texts.status.columns;
  return (
    <section class="panel scroll">
      <table>
        <thead>
          <tr>
            {columns.map(({ title, align }) => (
              <th scope="col" class={align === "right" ? "number" : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {branches.map((row) => (
            <tr>
              {columns.map(({ title, cell, align }) => (
                <td class={title === state ? chooseTone(row) : align === "right" ? "number" : undefined}>
                  <bdi>{visible(cell(row))}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Problems({ branches, ui }: { branches: readonly BranchStatus[]; ui: Ui }): JSX.Element {
  return (
    <section class="panel">
      <h2>{ui.texts.status.notWell}</h2>
      {listTroubles(branches, ui).map(({ branch, text, command }) => (
        <p>
          <strong>
            <bdi>{visible(branch)}</bdi>
          </strong>{" "}
          <span class="warn">{visible(text)}</span>
          <br />
          <code>{visible(command)}</code>
        </p>
      ))}
    </section>
  );
}

function Content({ shown: { status, trouble }, where, ui }: PageProps): JSX.Element {
  const { status: words } = ui.texts;
  const branches = status?.branches ?? [];
  const well = describeWell(branches, ui);
  return (
    <>
      {trouble !== undefined && <p class="bad">{visible(words.journalDown(trouble))}</p>}
      {status === undefined && trouble === undefined && <p>{words.none(visible(where.shown))}</p>}
      {!branches.every(isWell) && <Problems branches={branches} ui={ui} />}
      {[...listBehind(branches, ui).values()].map((text) => (
        <p class="warn">{visible(text)}</p>
      ))}
      {status !== undefined && <p class={well.tone}>{well.text}</p>}
      {branches.length > 0 && <Branches branches={branches} ui={ui} />}
      <p class="dim">
        <bdi>{visible(formatPlace(where))}</bdi> · {words.updated(isoTimeToSecond(isoWithOffset(ui.now), ui))}
      </p>
    </>
  );
}
interface PageProps {
  readonly shown: Shown;
  readonly where: ShownPlace;
  readonly ui: Ui;
}

/** The page asks for itself, by its own address, which may hold a token, and shows what is in `main` then. */
export function renderPage({ shown, where, ui }: PageProps): string {
  const { status: words, language } = ui.texts;
  const element = (
    <html lang={language}>
      <Head title={`${words.title} · bpos`} files="static/" scripts={["htmx.js", "status.js"]} />
      <body>
        <header class="top">
          <h1>{words.title}</h1>
          {ui.badge !== null && <span class="tag">{ui.badge}</span>}
        </header>
        <noscript>
          <p class="banner">{words.page.noScript}</p>
        </noscript>
        <p id="disconnected" class="banner" role="status" hidden>
          {words.page.disconnected}
        </p>
        <main hx-get={`?lang=${language}`} hx-trigger="every 2s" hx-select="main > *" hx-swap="innerHTML">
          <Content shown={shown} where={where} ui={ui} />
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${toHtml(element)}`;
}
