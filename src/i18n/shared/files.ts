import type { HeaderWarning } from "../../contract/limits.ts";
import type {
  AreaCountry,
  CompetingColumns,
  Detail,
  FileProblem,
  RowProblem,
} from "../../errors/problems.ts";
import type { HeaderProblem, HeaderUnreachable } from "../../errors.ts";
import type { Notice } from "../../input/table.ts";
import { columnFlags, lettered, unhidden } from "../../texts/phrases.ts";
import { rowsKnowing, sentencesKnowing, textFor } from "../template.ts";

const more = (count: number, shown: number): number | undefined =>
  count > shown ? count - shown : undefined;

/** How a mobile with its area code is dialled in its country, and from anywhere. */
const withArea: Readonly<
  Record<AreaCountry, (area: string) => Record<"national" | "international", string>>
> = {
  AR: (area) => ({ national: `0${area} 15 …`, international: `+54 9 ${area} …` }),
  BR: (area) => ({ national: `(${area}) 9…`, international: `+55 ${area} 9…` }),
  MX: (area) => ({ national: `${area} …`, international: `+52 ${area} …` }),
};

/** Why a row is left out and what to do about it, as part of a sentence. */
export const rowProblemsIn = ({ file, area }: { file: (name: string) => string; area: string }) =>
  sentencesKnowing<RowProblem>()({
    phone_area_missing: ({ country }) => withArea[country](area),
    duplicate_code: ({ lines, count }) => ({ more: more(count, lines.length) }),
    cell_count: ({ expected, found }) => ({ isShort: found < expected }),
    person_repeated: ({ same }) => ({ same }),
    person_excluded: ({ file: name }) => ({ file: file(name) }),
    excluded_before: ({ said }) => ({ texts: { text: said } }),
  });

/** All that is wrong with a row, as one line. */
export const problemsIn =
  (say: (problem: RowProblem) => string, also: string) =>
  (problems: readonly RowProblem[]): string =>
    problems.map(say).join(`. ${also}: `);

type LookAlike = Extract<Notice, { kind: "codes_alike" }>["pairs"][number];
type Doubtful = Extract<Notice, { kind: "codes_doubtful" }>["codes"][number];
type Landline = Extract<Notice, { kind: "landline_shapes" }>["phones"][number];

export const lookAlikeWords = textFor<LookAlike>();
export const doubtfulWords = textFor<Doubtful>();
export const landlineWords = textFor<Landline>();

interface NoticeWords {
  lookAlike: (pair: LookAlike) => string;
  doubtful: (code: Doubtful) => string;
  or: string;
  landline: (phone: Landline) => string;
}

const maxShown = 3;

/** A notice about a file, in whole sentences. */
export const noticesIn = ({ lookAlike, doubtful, landline, or }: NoticeWords) =>
  sentencesKnowing<Notice>()({
    rows_hidden: ({ lines, count }) => ({
      count,
      lines: count > lines.length ? [...lines, "…"] : lines,
    }),
    sale_unused: ({ columns }) => ({
      columns: columns.map(({ column }) => column),
      areSeveral: columns.length > 1,
      flags: columns
        .map(({ column, field, choice }) => columnFlags(field, [column], [choice]).join(""))
        .join(` ${or} `),
    }),
    sale_used: ({ inverse }) => ({ inverse }),
    codes_alike: ({ pairs, count }) => ({
      shown: pairs
        .map((each) => lookAlike({ ...each, code: unhidden(each.code), otherCode: unhidden(each.otherCode) }))
        .join("; "),
      more: more(count, pairs.length),
    }),
    codes_doubtful: ({ codes, count }) => ({
      shown: codes.map(doubtful).join("; "),
      more: more(count, codes.length),
    }),
    landline_shapes: ({ phones, fixed }) => ({
      count: phones.length,
      shown: phones.slice(0, maxShown).map(landline).join("; "),
      more: more(phones.length, maxShown),
      fixed,
    }),
  });

type Competing = { columns: string; field: string; areTwo: boolean; isPhone: boolean };
export const competingWords = textFor<Competing>();

interface FileWords {
  competing: (columns: Competing) => string;
  row: (problem: RowProblem) => string;
  detail: (detail: Detail) => string;
  and: string;
  or: string;
  /** What stands for a header in a flag. */
  header: string;
}

/** Why a file cannot be used, as part of a sentence, and what to do next. */
export const fileAdvice = ({ row, detail, competing, and, or, header }: FileWords) => {
  const say = ({ field, columns, choices }: CompetingColumns): string =>
    competing({
      columns: lettered(columns, choices).join(` ${and} `),
      field,
      areTwo: columns.length === 2,
      isPhone: field === "phone",
    });
  const choose = ({ field, columns, choices }: CompetingColumns): string =>
    columnFlags(field, columns, choices).join(` ${or} `);
  return rowsKnowing<FileProblem, "what" | "next">()({
    json_broken: ({ detail: why }) => ({ detail: detail(why).replace(/\.$/, "") }),
    list_elsewhere: () => ({ list: "[{…}, {…}]" }),
    column_missing: ({ field, of, also }) => ({
      more: also.map(say).join("; "),
      moreFlags: also.map(choose).join("; "),
      isPhone: field === "phone",
      flag: field === "phone" ? `--phone-column ${header}` : `--map ${field}=${header}`,
      mayBeDelimiter: of === "text" && field !== "phone",
      mayBeRow: of !== "json",
    }),
    columns_compete: ({ fields }) => ({
      said: fields.map(say).join("; "),
      areSeveral: fields.length > 1,
      flags: fields.map(choose).join("; "),
    }),
    exclusion_unreadable: ({ row: problem, more: others }) => ({
      problem: row(problem),
      more: others === 0 ? undefined : others,
    }),
    template_empty: () => ({ first: "{{1}}", second: "{{2}}" }),
    template_gap: ({ number, last }) => ({
      number: `{{${number}}}`,
      last: `{{${last}}}`,
      first: "{{1}}",
      second: "{{2}}",
    }),
    decimals_mixed: ({ comma, dot }) => ({
      comma: comma.text,
      commaLine: comma.line,
      dot: dot.text,
      dotLine: dot.line,
    }),
  });
};

/** What is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerAdvice = rowsKnowing<HeaderProblem, "what" | "next">()({});

type Unreachable = "tls" | "timeout" | "proxy" | "status" | "network";

/** Why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const unreachableAdvice =
  ({ detail }: { detail: (detail: Detail) => string }) =>
  (words: {
    what: (facts: { status?: number; detail?: string }) => string;
    next: Readonly<Record<Unreachable, string>>;
  }) =>
  (problem: HeaderUnreachable): { what: string; next: string } => ({
    what: words.what(
      problem.kind === "status" ? { status: problem.status } : { detail: detail(problem.detail) },
    ),
    next: (words.next as Readonly<Record<string, string>>)[problem.kind] ?? words.next.network,
  });

export const unreachableWords = textFor<{ status?: number; detail?: string }>();

/** What may go wrong with a header's file, as a line of its own. */
export const headerWarningsIn = (
  types: Readonly<Record<Extract<HeaderWarning, { kind: "content_type" }>["type"], string>>,
) =>
  sentencesKnowing<HeaderWarning>()({
    content_type: ({ type }) => ({ what: types[type] }),
  });
