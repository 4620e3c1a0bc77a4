import { fields } from "../../cli/display/fields.ts";
import type { CampaignRequest } from "../../contract/campaign.ts";
import type { RowProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import { nameColumn } from "../../input/columns.ts";
import { countryCode, readPhone, toPerson } from "../../input/phone.ts";
import type { PersonCall } from "../../journal/sends.ts";
import type { Settings } from "../../settings/settings.ts";

const lastDigits = (phone: string): string => phone.replace(/\D/g, "").slice(-6);

/** The one of these whose phone is this person's, however the service or a file wrote it. */
export function findPerson<T>(
  all: readonly T[],
  person: string,
  readPhone: (each: T) => unknown,
): T | undefined {
  const end = lastDigits(person);
  return all.find((each) => {
    const phone = readPhone(each);
    // To read each of a thousand phones would take longer than all the rest.
    return typeof phone === "string" && lastDigits(phone) === end && toPerson(phone) === person;
  });
}

/** Reads what a call sends to a person; `name` is what stood in a column of the file that is called so. */
export function readRecipient({ body, param_names: names }: PersonCall, person: string) {
  const { recipients } = fields(JSON.parse(body)) as unknown as CampaignRequest;
  const found = findPerson(recipients, person, ({ phone }) => phone);
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

/** Whose phone that is, as a person typed it. Throws `usage_flag`. */
export function readPerson(
  typed: string,
  command: string,
  { country, settings }: { country: string | undefined; settings: Pick<Settings, "country" | "areaCode"> },
): string {
  const { text, read } = readTypedPhone(typed, country ?? settings.country, settings.areaCode);
  if (read.ok) return read.person;
  throw notPhone(command, text, read.problem);
}
