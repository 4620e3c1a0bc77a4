import type { JSX } from "hono/jsx/jsx-runtime";
import { count, isoTimeToSecond, visible } from "../../cli/display/format.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { Head, toHtml } from "../../page/document.tsx";
import type { BranchStatus } from "./report.ts";
import type { Status } from "./status.ts";
import {
  branchColumns,
  chooseTone,
  describeProblem,
  formatPlace,
  isAllWell,
  type ShownPlace,
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
  const problems = branches.flatMap(({ report, problems }) =>
    problems.map((each) => ({ branch: report.branch, ...each })),
  );
  return (
    <section class="panel">
      <h2>{ui.texts.status.notWell}</h2>
      {problems.map((problem) => (
        <p>
          <strong>
            <bdi>{visible(problem.branch)}</bdi>
          </strong>{" "}
          <span class="warn">{visible(describeProblem(problem, ui))}</span>
          <br />
          <code>{visible(problem.command)}</code>
        </p>
      ))}
    </section>
  );
}

/** What of the page is asked for again. */
function StatusPart({ shown, where, ui }: PartProps): JSX.Element {
  const { status: words } = ui.texts;
  const { status, trouble } = shown;
  const branches = status?.branches ?? [];
  const isWell = status !== undefined && isAllWell(status);
  return (
    <>
      {trouble !== undefined && <p class="bad">{visible(words.journalDown(trouble))}</p>}
      {status === undefined && trouble === undefined && <p>{words.none(visible(where.place))}</p>}
      {isWell && branches.length === 0 && <p>{words.noBranches}</p>}
      {isWell && branches.length > 0 && <p class="good">{words.allWell(count(branches.length, ui))}</p>}
      {status !== undefined && !isWell && <Problems branches={branches} ui={ui} />}
      {branches.length > 0 && <Branches branches={branches} ui={ui} />}
      <p class="dim">
        <bdi>{visible(formatPlace(where))}</bdi> · {words.updated(isoTimeToSecond(isoWithOffset(ui.now), ui))}
      </p>
    </>
  );
}
interface PartProps {
  readonly shown: Shown;
  readonly where: ShownPlace;
  readonly ui: Ui;
}

/** The whole page. It asks for its part by an address relative to its own, which may hold a token. */
export function renderPage({ shown, where, ui }: PartProps): string {
  const { status: words, language } = ui.texts;
  const part = new URLSearchParams({ part: "1", lang: language }).toString();
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
        <main hx-get={`?${part}`} hx-trigger="every 2s" hx-swap="innerHTML">
          <StatusPart shown={shown} where={where} ui={ui} />
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${toHtml(element)}`;
}

export const renderPart = (props: PartProps): string => toHtml(<StatusPart {...props} />);
