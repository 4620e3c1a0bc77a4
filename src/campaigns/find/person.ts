import { fields } from "../../cli/display/fields.ts";
import type { CampaignRequest } from "../../contract/campaign.ts";
import { nameColumn } from "../../input/columns.ts";
import { toPerson } from "../../input/phone.ts";
import type { PersonCall } from "../../journal/sends.ts";

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
