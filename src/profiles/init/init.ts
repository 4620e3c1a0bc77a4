import { checkKey } from "../../api/client.ts";
import { describeError, mayAsk, type Output } from "../../cli/display/output.ts";
import { printerUrlOn } from "../../cli/line/printer-flags.ts";
import { questionWords } from "../../cli/line/questions.ts";
import { type Runtime, readLocale } from "../../cli/runtime.ts";
import { findMock } from "../../cli/session/mocks.ts";
import type { PrinterAddress } from "../../contract/addresses.ts";
import { errorWords } from "../../errors/words/reasons.ts";
import { BposError, isReason } from "../../errors.ts";
import { lineLength, printTestReceipt } from "../../printing/printing.ts";
import { findCountry } from "../../settings/country.ts";
import { findProfile, type ProfileFile, prepareFolder, readProfiles } from "../../settings/profile-file.ts";
import { quoted } from "../../texts/phrases.ts";
import type { T, Texts } from "../../texts/texts.ts";
import { checkProfile } from "../check-profile.ts";
import {
  checkAddress,
  checkName,
  countryReader,
  givenClientCert,
  givenKey,
  type ProfileChange,
  type ProfileDraft,
  stoppedSetup,
  withDraft,
} from "../profile-draft.ts";
import { openProfileOutput } from "../profile-output.ts";
import { saveProfile } from "../save-profile.ts";

const none = "-";
const defaultCountry = "AR";

/** The key of the first branch of every built-in scenario. It is no secret, and nobody should have to type it unseen. */
const mockKey = "bpk_demo_centro";

interface Talk {
  runtime: Runtime;
  output: Output;
  known: ProfileFile;
  /** The address of a mock that runs on this machine. */
  mock: string | undefined;
}

/** Asks for the settings of a profile, tries them, and saves them. Throws `interrupted` if the person stops. */
export const init = (runtime: Runtime): Promise<void> => setUp(runtime).catch(stoppedSetup);

async function setUp(runtime: Runtime): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, signal, texts, flags } = runtime;
  const { t } = texts;
  if (flags.profile !== undefined) checkName(flags.profile);
  if (!mayAsk(runtime))
    throw new BposError("not_a_terminal", {
      flag: "`bpos profile add <name> --base-url <url> --campaigns-url <url> --api-key-file <file>`",
    });

  await prepareFolder(system);
  const known = readProfiles(system);
  const talk: Talk = { runtime, output, known, mock: await findMock(system, undefined) };
  const intro = t(
    "A profile holds the key and addresses of one branch. Press Ctrl-C to stop without saving.",
  );
  await output.notice(intro);
  if (talk.mock !== undefined)
    await output.notice(
      t("A mock is running at {url}. Press Enter to accept its settings.", { url: talk.mock }),
    );

  const name = await askName(talk);
  const change: ProfileChange = { name, before: findProfile(known.profiles, name), draft: {} };
  Object.assign(change.draft, await askAddresses(talk, change));
  Object.assign(change.draft, await givenClientCert(runtime, output));
  const key = await givenKey(runtime, output);
  Object.assign(change.draft, key === undefined ? await askKey(talk, change) : { api_key: key });
  Object.assign(change.draft, await askRest(talk, change));
  const isAccepted = await askService(talk, change);

  const other = known.default ?? name;
  const question = t("Make it the default instead of {other}?", { other: quoted(other) });
  const isDefault =
    other === name ||
    findProfile(known.profiles, other) === undefined ||
    (await system.prompts.confirm(question, signal, questionWords(texts.t)));
  if (await system.prompts.confirm(t("Set up a receipt printer now?"), signal, questionWords(texts.t)))
    Object.assign(change.draft, await askPrinter(talk, change));
  await saveProfile(runtime, output, change, { isDefault, keyDoubt: isAccepted ? undefined : "warning" });
}

function findObjection(check: () => unknown, texts: Texts): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return errorWords(error.reason, error.facts, texts.t).why;
  }
}

async function askText(
  { runtime: { system, signal, texts } }: Talk,
  question: string,
  initial: string | undefined,
  check: (text: string) => unknown,
): Promise<string> {
  const how = {
    ...(initial !== undefined && { initial }),
    check: (answer: string) => findObjection(() => check(answer.trim()), texts),
  };
  const typed = await system.prompts.text(question, how, signal);
  return typed.trim();
}

async function askName(talk: Talk): Promise<string> {
  const { runtime, known, mock } = talk;
  const { system, signal, texts, flags } = runtime;
  const { t } = texts;
  const isFree = (name: string): boolean => findProfile(known.profiles, name) === undefined;
  const proposed = mock !== undefined && isFree("demo") ? "demo" : undefined;
  for (;;) {
    const check = (text: string): unknown => findProfile(known.profiles, text) ?? checkName(text);
    const name = await askText(
      talk,
      t("Name of the profile, for example centro:"),
      flags.profile ?? proposed,
      check,
    );
    if (isFree(name)) return name;
    const question = t("Profile {name} already exists. Change it?", { name: quoted(name) });
    const isMeant = await system.prompts.confirm(question, signal, questionWords(texts.t));
    if (isMeant) return name;
  }
}

async function askAddresses(talk: Talk, { before }: ProfileChange): Promise<ProfileDraft> {
  const { mock } = talk;
  const { flags, texts } = talk.runtime;
  const { t } = texts;
  const proposed = flags.baseUrl ?? before?.base_url ?? mock;
  const asked = t("Service address for orders and catalog:");
  const base = await askText(talk, asked, proposed, (text) => checkAddress("base_url", text));

  const usual = before?.campaigns_base_url ?? (base === mock ? `${base}/messaging` : none);
  const check = (text: string): unknown => text === none || checkAddress("campaigns_base_url", text);
  const question = t("Service address for campaigns (- for none):");
  const campaigns = await askText(talk, question, flags.campaignsUrl ?? usual, check);
  return { base_url: base, campaigns_base_url: campaigns === none ? undefined : campaigns };
}

/** Asks for a key, and says what Enter does. */
function keyQuestion(special: "stays" | "mock" | undefined, t: T): string {
  if (special === "stays") return t("API key (hidden; press Enter to keep the current one):");
  return special === "mock"
    ? t("API key (hidden; press Enter to use the mock's key):")
    : t("API key (hidden as you type or paste it):");
}

/** With empty input an existing key stays, and a mock's own key is used. */
async function askKey(talk: Talk, { before, draft }: ProfileChange): Promise<ProfileDraft> {
  const { system, signal, texts } = talk.runtime;
  const { t } = texts;
  const mayStay = before?.api_key !== undefined || before?.key_command !== undefined;
  const isMock = talk.mock !== undefined && draft.base_url === talk.mock;
  const otherwise = isMock ? "mock" : undefined;
  const question = keyQuestion(mayStay ? "stays" : otherwise, t);
  const check = (answer: string): string | undefined => {
    if (answer.trim() !== "") return findObjection(() => checkKey(answer.trim()), texts);
    if (mayStay || isMock) return undefined;
    return t("No key was entered. Type or paste it, then press Enter. Ctrl-C stops without saving.");
  };
  const how = { check, words: questionWords(texts.t) };
  const typed = await system.prompts.secret(question, how, signal);
  const key = typed.trim();
  if (key !== "") return { api_key: key };
  return mayStay ? {} : { api_key: mockKey };
}

async function askRest(talk: Talk, { before, draft }: ProfileChange): Promise<ProfileDraft> {
  const { system, signal, texts } = talk.runtime;
  const { t } = texts;
  const readCountry = await countryReader();
  const check = (text: string): unknown => text === none || readCountry(text);
  const offered = findCountry(readLocale(talk.runtime.system.env)) ?? defaultCountry;
  const asked = t("Country of the branch, for phones and amounts, for example AR (- for none):");
  const country = await askText(talk, asked, before?.country ?? offered, check);

  const isDemo = before?.sandbox ?? (talk.mock !== undefined && draft.base_url === talk.mock);
  // The probable answer comes first, so that Enter accepts it.
  const kinds = isDemo ? [true, false] : [false, true];
  const choices = kinds.map((sandbox) =>
    t(sandbox ? "a demo branch: every table says SANDBOX" : "the real branch"),
  );
  const how = { signal, words: questionWords(texts.t) };
  const chosen = await system.prompts.choose(t("What is this key for?"), choices, how);
  return { country: country === none ? undefined : readCountry(country), sandbox: kinds[chosen] ?? false };
}

/** Returns false for a profile that is kept although the service did not accept its key. */
async function askService(talk: Talk, change: ProfileChange): Promise<boolean> {
  const { runtime, output } = talk;
  const { system, signal, texts } = runtime;
  const { t } = texts;
  const again = {
    retry: t("Try again"),
    key: t("Type the key again"),
    addresses: t("Type the addresses again"),
    keep: t("Save the profile as it is"),
  };
  for (;;) {
    const profile = withDraft({ ...change.before }, change.draft);
    try {
      await checkProfile(runtime, output, change.name, profile);
      return true;
    } catch (error) {
      if (!(error instanceof BposError) || signal.aborted) throw error;
      await output.warning(await describeError(error, texts));

      // The choice most likely to help comes first.
      const ways = isReason(error, "access_denied")
        ? (["key", "addresses", "retry", "keep"] as const)
        : (["retry", "addresses", "key", "keep"] as const);
      const choices = ways.map((way) => again[way]);
      const how = { signal, words: questionWords(texts.t) };
      const way = ways[await system.prompts.choose(t("What now?"), choices, how)];
      if (way === "keep") return false;
      if (way === "key") Object.assign(change.draft, await askKey(talk, change));
      if (way === "addresses") Object.assign(change.draft, await askAddresses(talk, change));
    }
  }
}

/** Names what people can see on a test receipt. */
const paperChoices = (columns: number, t: T) => ({
  good: t("Everything: one full row of digits, accents, a box, and a cut at the end"),
  width: t(
    columns > 32
      ? "The row of digits continues in a second row: narrow paper"
      : "The row of digits ends far from the edge: wide paper",
  ),
  signs: t("Symbols such as [4 or i before the lines, or no cut"),
  nothing: t("Nothing, or the wrong printer: type the address again"),
});

/** Prints a test until the paper is right; undefined if the person wants to type another address. */
async function tryPrinter(
  { runtime, output }: Talk,
  address: PrinterAddress,
  before: ProfileChange["before"],
): Promise<ProfileDraft | undefined> {
  const { system, signal, texts } = runtime;
  const { t } = texts;
  let paper: 58 | 80 = before?.paper === 58 ? 58 : 80;
  let language: "escpos" | "star" = before?.printer_language === "star" ? "star" : "escpos";
  for (;;) {
    try {
      await printTestReceipt(
        { address, system, signal },
        { paper, language, drawer: false, beep: false },
        { t },
      );
    } catch (error) {
      if (!isReason(error, "printer_failed")) throw error;
      await output.warning(await describeError(error, texts, { advises: true }));
      return undefined;
    }
    await output.notice(t("The test receipt was sent to {url}.", { url: address.url }));
    const seen = paperChoices(lineLength(paper), t);
    const how = { signal, words: questionWords(texts.t) };
    const chosen = await system.prompts.choose(t("What does the paper show?"), Object.values(seen), how);
    const what = Object.keys(seen)[chosen];
    if (what === "good") return { printer: address.url, paper, printer_language: language };
    if (what === "nothing") return undefined;
    if (what === "width") paper = paper === 80 ? 58 : 80;
    else language = language === "escpos" ? "star" : "escpos";
  }
}

async function askPrinter(talk: Talk, { before }: ProfileChange): Promise<ProfileDraft> {
  const { system, texts } = talk.runtime;
  const { t } = texts;
  const { read } = printerUrlOn(system.platform);
  const parse = (text: string): PrinterAddress =>
    read(
      text,
      (problem) => {
        throw new BposError("usage_flag", { problem: { kind: "value", flag: "--printer", problem } });
      },
      undefined,
    );
  // The refusal of an empty text says which addresses this system has.
  const intro = t("bpos prints a test receipt before it saves anything.");
  await talk.output.notice([intro, findObjection(() => parse(""), texts)].join(" "));
  let proposed = before?.printer ?? none;
  for (;;) {
    const check = (text: string): unknown => text === none || parse(text);
    proposed = await askText(talk, t("Printer address (- for none):"), proposed, check);
    if (proposed === none) return { printer: undefined };
    const draft = await tryPrinter(talk, parse(proposed), before);
    if (draft !== undefined) return draft;
  }
}
