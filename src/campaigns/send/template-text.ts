import type { Output } from "../../cli/display/output.ts";
import { openGiven } from "../../cli/files/named-files.ts";
import { noticeWords } from "../../cli/files/notices.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { callMock } from "../../cli/session/mocks.ts";
import type { Session } from "../../cli/session/session.ts";
import { decode } from "../../input/files/decode.ts";
import { unusable } from "../../input/files/file.ts";
import type { RecipientsReading } from "../../input/recipients.ts";
import type { SendTemplate } from "../../journal/records/sends.ts";
import { variable } from "../template.ts";

export interface TemplateText {
  text: string;
  /** Checks that it has as many variables as the rows. Throws `input_unusable`. */
  checkRows: (reading: RecipientsReading) => void;
}

/** Reads a template's text as a person keeps it in a file. Throws `input_unusable` where it cannot be one. */
export async function readTemplateText(
  { system, texts }: Runtime,
  output: Output,
  path: string,
): Promise<TemplateText> {
  const file = await openGiven(system, path, output);
  const { utf8, notices } = decode(file);
  for (const notice of notices) await output.notice(noticeWords(notice, texts.t));
  const text = utf8.toString().replaceAll("\r\n", "\n").trim();
  if (text === "") throw unusable(file, { kind: "template_empty" });
  const numbers = new Set([...text.matchAll(variable)].map(([, number]) => Number(number)));
  const named = numbers.size;
  for (let n = 1; n <= named; n++)
    if (!numbers.has(n))
      throw unusable(file, { kind: "template_gap", number: n, last: Math.max(...numbers) });
  return {
    text,
    checkRows({ recipients: [first] }) {
      const params = first === undefined ? named : (JSON.parse(first.params) as string[]).length;
      if (params !== named) throw unusable(file, { kind: "template_variables", text: named, rows: params });
    },
  };
}

export type MockTemplate = Record<"name" | "id" | "body", string>;

/** Returns the templates of a mock; undefined for a real service, which does not list its own, and for a mock that does not answer. */
export async function mockTemplates({ mockOrigin }: Session): Promise<readonly MockTemplate[] | undefined> {
  const origin = mockOrigin();
  if (origin === undefined) return undefined;
  const answer = await callMock(origin, "GET", "/_mock/templates").catch(() => undefined);
  return answer?.["templates"] as MockTemplate[] | undefined;
}

export const findTemplate = (
  templates: readonly MockTemplate[] | undefined,
  { name, id }: SendTemplate,
): MockTemplate | undefined =>
  templates?.find((each) => (name === null ? each.id === id : each.name === name));
