import { isLosslessNumber, parse } from "lossless-json";
import { openGiven } from "../../cli/files/named-files.ts";
import { needsFlag, readAmount } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { editKnown } from "../../cli/session/profiles.ts";
import { BposError } from "../../errors.ts";
import { decode, isWorkbook } from "../../input/decode.ts";
import type { InputFile } from "../../input/file.ts";
import { countryCode } from "../../input/phone.ts";
import { openRows } from "../../input/rows.ts";
import type { TableSink } from "../../input/table.ts";
import { fromRateCard, toRateCard } from "../../settings/rates.ts";
import { traceSettings } from "../../settings/settings.ts";
import { openProfileOutput } from "./add.ts";
import type { RatesFlags } from "./command.ts";
import { tell } from "./profile.ts";

/** A JSON object as it stands, each number as it was written; undefined for any other text. */
function readObject(file: InputFile): Record<string, unknown> | undefined {
  if (isWorkbook(file)) return undefined;
  const text = decode(file).utf8.toString();
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const object = parse(text, undefined, {
      onDuplicateKey: ({ key }) => {
        throw new BposError("rates_unusable", { file: file.name, fault: "country_twice", text: key });
      },
    }) as Record<string, unknown>;
    const entries = Object.entries(object);
    return Object.fromEntries(
      entries.map(([name, value]) => [name, isLosslessNumber(value) ? value.value : value]),
    );
  } catch (error) {
    if (error instanceof BposError) throw error;
    const problem = { kind: "json_broken", detail: (error as Error).message } as const;
    throw new BposError("input_unusable", { file: file.name, problem }, { cause: error });
  }
}

/** Rows of a country and a price, as spreadsheets write them; a header counts for nothing. */
async function readPairs(file: InputFile): Promise<Record<string, string>> {
  const pairs = new Map<string, string>();
  const take = ([country = "", price = ""]: readonly string[]): void => {
    const name = country.trim().toUpperCase();
    const refused = (fault: "country_twice" | "price", text: string): BposError =>
      new BposError("rates_unusable", { file: file.name, fault, text });
    if (pairs.has(name)) throw refused("country_twice", name);
    const amount = name === "CURRENCY" ? price.trim() : readAmount(price.trim());
    if (amount === undefined) throw refused("price", `${name}: ${price}`);
    pairs.set(name, amount);
  };
  const sink: TableSink = {
    header: (columns) => {
      if (/\d/.test(columns[1] ?? "")) take(columns);
    },
    row: ({ cells }) => take(cells),
  };
  const source = await openRows(file, {}, "rates");
  await source.stream(sink);
  return Object.fromEntries(pairs);
}

/** Saves the prices of a file in the profile that is used, in the place of earlier ones. Throws `rates_unusable`. */
export async function rates(runtime: Runtime, path: string, { currency }: RatesFlags): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, flags } = runtime;
  const { profile: name } = (await traceSettings(system, flags)).settings;
  if (name === undefined) throw needsFlag("bpos profile rates", "-p");

  const file = await openGiven(system, path, output);
  const given = readObject(file) ?? (await readPairs(file));
  const card = toRateCard(currency === undefined ? given : { ...given, currency }, file.name);
  for (const country of card.prices.keys())
    if (country !== "*" && countryCode(country) === null)
      throw new BposError("rates_unusable", { file: file.name, fault: "country", text: country });

  const kept = fromRateCard(card);
  await editKnown(system, name, ({ profiles }) => {
    profiles[name] = { ...profiles[name], rates: kept };
  });
  const sentence = output.ui.texts.profile.rates(name, card.prices.size, card.currency);
  await tell(output, sentence, { profile: name, rates: kept });
}
