import { toText } from "../api/json.ts";
import type { CampaignRequest } from "../contract/campaign.ts";
import type { RowProblem } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import { nameColumn } from "../input/columns/recipient-columns.ts";
import { countryCode, readPhone, toPerson } from "../input/phone.ts";
import type { PersonCall } from "../journal/records/sends.ts";
import type { Settings } from "../settings/settings.ts";

/** The country and the area in which a phone without them is dialled. */
export type Home = Partial<Pick<Settings, "country" | "areaCode">>;

const lastDigits = (phone: string): string => phone.replace(/\D/g, "").slice(-6);

/** Finds the one of these whose phone is a person's, however the service or a file wrote it. */
export function personFinder<T>(all: readonly T[], readPhone: (each: T) => unknown) {
  // Parsing a hundred thousand phones would take longer than everything else.
  const sort = () => {
    const byEnd = new Map<string, { phone: string; each: T }[]>();
    for (const each of all) {
      const phone = toText(readPhone(each)) ?? "";
      const end = lastDigits(phone);
      const same = byEnd.get(end);
      if (same === undefined) byEnd.set(end, [{ phone, each }]);
      else same.push({ phone, each });
    }
    return byEnd;
  };
  let sorted: ReturnType<typeof sort> | undefined;
  // There can be a million recipients and no replies.
  return (person: string): T | undefined => {
    sorted ??= sort();
    return sorted.get(lastDigits(person))?.find(({ phone }) => toPerson(phone) === person)?.each;
  };
}

/** Reads what a call sends to a person; `name` is what stood in a column of the file that is called so. */
export function readRecipient({ body, param_names: names }: PersonCall, person: string) {
  const { recipients } = JSON.parse(body) as CampaignRequest;
  const found = personFinder(recipients, ({ phone }) => phone)(person);
  const params = found?.params ?? [];
  const name = params[nameColumn(JSON.parse(names) as string[])] ?? null;
  return { phone: found?.phone ?? person, params, name };
}

export function readTypedPhone(typed: string, country: string | undefined, area: string | undefined) {
  const code = countryCode(country ?? "");
  if (country !== undefined && code === null) {
    const problem = { kind: "not_country", text: country } as const;
    throw new BposError("usage_flag", { problem: { kind: "value", flag: "--country", problem } });
  }
  const text = typed.trim().replace(/^(?:whatsapp|tel):\s*/i, "");
  return { text, read: readPhone(text, { column: "phone", country: code, area }) };
}

export function notPhone(command: string, text: string, problem: RowProblem): BposError {
  const about = { kind: "argument_value", argument: "phone", command, text } as const;
  return new BposError("usage_flag", { problem: { ...about, problem: { kind: "not_phone", problem } } });
}

/** Returns the person whose phone was typed. Throws `usage_flag`. */
export function readPerson(
  typed: string,
  command: string,
  { country, settings }: { country: string | undefined; settings: Pick<Settings, "country" | "areaCode"> },
): string {
  const { text, read } = readTypedPhone(typed, country ?? settings.country, settings.areaCode);
  if (read.ok) return read.person;
  throw notPhone(command, text, read.problem);
}

// The service may write a phone without the plus that it was sent with.
export const digits = (phone: unknown): string => (toText(phone) ?? "").replace(/\D/g, "");
