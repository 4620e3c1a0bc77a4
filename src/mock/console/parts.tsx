import type { JSX } from "hono/jsx/jsx-runtime";
import { isoWithOffset, type OrderState } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";
import type { Reader } from "./page.tsx";

/** A path of the page with a query; what is undefined or empty is left out. */
export function joinPath(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(Object.fromEntries(given) as Record<string, string>).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Returns a text for comparing: without case and accents. */
export const simplify = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Names a state of an order. */
export const stateName = (state: OrderState, t: T): string =>
  ({
    pendiente: t("Pending"),
    en_preparacion: t("Preparing"),
    listo: t("Ready"),
    asignado: t("Assigned"),
    en_camino: t("On its way"),
    entregado: t("Delivered"),
    rechazado: t("Rejected // one order"),
    cancelado: t("Cancelled"),
  })[state];

export const formatCount = (count: number, t: T): string =>
  count.toLocaleString(t("en // whose numbers are written so, as BCP 47 names it"));

/** `2026-01-01 12:00:00` of an instant with any offset, in the zone of the machine, as a terminal beside the page shows it. */
export const formatSecond = (instant: string): string =>
  isoWithOffset(Date.parse(instant)).slice(0, 19).replace("T", " ");

/** The same without its seconds. */
export const formatMoment = (instant: string): string => formatSecond(instant).slice(0, 16);

/** `11:51` of the same. */
export const formatHour = (instant: string): string => formatSecond(instant).slice(11, 16);

/** How old something is, in its largest unit: `0 min`, `12 min`, `3 h`, `2 d`. The page's script counts on. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 24 / 60)} d`;
}

/** Names how long an order has waited, for its colour: `late` from ten minutes on. The page's script counts on. */
export function nameWait(ms: number): "fresh" | "waiting" | "late" {
  const minutes = ms / 60_000;
  if (minutes < 5) return "fresh";
  return minutes < 10 ? "waiting" : "late";
}

/** Names a branch, so that it is not taken for a scenario of the same name. */
export const branchName = (branch: string, t: T): string => t("Branch {branch}", { branch });

/** The search of a view: the same field everywhere, reached by `/`. */
export function SearchField({ name, value, label, ...rest }: SearchFieldProps): JSX.Element {
  return (
    <input
      type="search"
      name={name}
      value={value ?? ""}
      placeholder={label}
      aria-label={label}
      aria-keyshortcuts="/"
      autocomplete="off"
      data-key="/"
      {...rest}
    />
  );
}
interface SearchFieldProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly label: string;
  readonly id?: string;
  readonly autofocus?: boolean;
  readonly inputmode?: "tel";
}

interface Choice {
  readonly id?: string;
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
}

export function Tabs({ label, choices }: { label: string; choices: readonly Choice[] }): JSX.Element {
  return (
    <nav class="tabs" aria-label={label}>
      {choices.map(({ id, href, text, isCurrent }) => (
        <a id={id} href={href} aria-current={isCurrent ? "true" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The branch that the reader chose, else the first. */
export function chooseBranch({ live, query }: Reader): string {
  const branches = [...live.look().world.catalogs.keys()];
  return branches.find((branch) => branch === query["branch"]) ?? branches[0] ?? "";
}

interface Paging {
  readonly page: number;
  readonly pages: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the range of `total` items on the requested page; a page past the end is the last. */
export function readPaging({ query }: Pick<Reader, "query">, total: number, perPage: number): Paging {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const asked = Number.parseInt(query["page"] ?? "1", 10);
  const page = Math.min(Math.max(1, Number.isNaN(asked) ? 1 : asked), pages);
  return { page, pages, from: (page - 1) * perPage, to: Math.min(page * perPage, total) };
}

interface PagerProps {
  readonly paging: Paging;
  readonly t: T;
  readonly to: (page: number) => string;
}

/** Links to the page before and the one after; nothing where there is one page. */
export function Pager({ paging: { page, pages }, t, to }: PagerProps): JSX.Element | null {
  if (pages < 2) return null;
  return (
    <nav class="pager" aria-label={t("Pages")}>
      {page > 1 && (
        <a class="button" rel="prev" href={to(page - 1)}>
          {t("Previous")}
        </a>
      )}
      <span class="dim">
        {t("Page {page} of {pages}", { page: formatCount(page, t), pages: formatCount(pages, t) })}
      </span>
      {page < pages && (
        <a class="button" rel="next" href={to(page + 1)}>
          {t("Next")}
        </a>
      )}
    </nav>
  );
}

/** Pushes a price list of one row. */
export const pushLine = String.raw`printf 'codigo,nombre,precio\nPIZ-001,Pizza muzzarella,9900\n' | bpos catalog push -`;

/** Commands for a terminal, of a branch: the address of this mock comes first, and the branch's key where it is not the first. */
export function Commands({ reader, branch, lines }: CommandsProps): JSX.Element {
  const { live, address, t } = reader;
  const keys = [...live.look().world.keys.values()];
  const key = keys.find((one) => one.branch === branch);
  const ofBranch = key === keys[0] ? [] : [`export BPOS_API_KEY=${key?.key ?? ""}`];
  const text = [`export BPOS_MOCK=${address}`, ...ofBranch, ...lines].join("\n");
  return (
    <div class="commands">
      <pre>{text}</pre>
      <button type="button" data-copy={text}>
        {t("Copy")}
      </button>
    </div>
  );
}
interface CommandsProps {
  readonly reader: Reader;
  readonly branch: string;
  readonly lines: readonly string[];
}
