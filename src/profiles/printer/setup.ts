import { describeError, mayAsk, type Output, openOutput } from "../../cli/display/output.ts";
import { printerUrlOn } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { checkKnown, editKnown } from "../../cli/session/profiles.ts";
import { printerAddress } from "../../contract/addresses.ts";
import { type PrinterLanguage, printNow } from "../../delivery/printer.ts";
import { columnsByPaper } from "../../delivery/receipt.ts";
import { testReceipt } from "../../delivery/test-receipt.ts";
import type { ValueProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import { errorWords } from "../../i18n/shapes.ts";
import { findProfile, type Profile, readProfiles } from "../../settings/profile-file.ts";
import { traceSettings } from "../../settings/settings.ts";
import { stoppedSetup } from "../profile/add.ts";
import { findPrinters } from "./find.ts";

/** What a profile keeps of its printer; undefined takes it away. */
interface PrinterDraft {
  printer: string | undefined;
  paper?: number;
  printer_language?: PrinterLanguage;
}

interface Talk {
  runtime: Runtime;
  output: Output;
}

/** Asks until the answer is an address of a printer; in the network a host is one. */
async function askAddress(
  { runtime }: Talk,
  isNetwork: boolean,
  initial: string | undefined,
): Promise<string> {
  const { system, signal, texts } = runtime;
  const { setup } = texts.printer;
  const { read } = printerUrlOn(system.platform);
  const toUrl = (text: string): string =>
    isNetwork && !/^\w+:/.test(text.trim()) ? `tcp://${text.trim()}` : text.trim();
  const refuse = (problem: ValueProblem): never => {
    throw new BposError("usage_flag", { problem: { kind: "value", flag: "--printer", problem } });
  };
  const check = (text: string): string | undefined => {
    try {
      read(toUrl(text), refuse, undefined);
      return undefined;
    } catch (error) {
      if (!(error instanceof BposError)) throw error;
      return errorWords(texts.errors, error.reason, error.facts).why;
    }
  };
  const how = initial === undefined ? { check } : { check, initial };
  return toUrl(await system.prompts.text(isNetwork ? setup.host : setup.address, how, signal));
}

/** Undefined where nobody wants one; an empty text takes the profile's printer away. */
async function choosePrinter(talk: Talk, before: string | undefined): Promise<string | undefined> {
  const { runtime, output } = talk;
  const { system, signal, texts } = runtime;
  const { setup, list } = texts.printer;
  const { printers, problem, words } = await findPrinters(runtime, readProfiles(system));
  if (words !== undefined && problem.kind !== "lp_missing") await output.warning(words);

  const found = printers.map(({ printer, state }) =>
    state === null || state === "ready" ? printer : `${printer} (${list.states[state]})`,
  );
  const more = [setup.network, setup.device, ...(before === undefined ? [] : [setup.remove]), setup.leave];
  const how = { signal, words: texts.questions };
  const chosen = await system.prompts.choose(setup.which, [...found, ...more], how);
  const known = printers[chosen];
  if (known !== undefined) return known.printer;
  const answer = more[chosen - printers.length];
  if (answer === setup.leave) return undefined;
  if (answer === setup.remove) return "";
  const isNetwork = answer === setup.network;
  const isOfKind = before?.startsWith("tcp:") === isNetwork;
  return askAddress(talk, isNetwork, isOfKind ? before : undefined);
}

/** Prints until the paper is right; undefined where another printer is to be chosen. */
async function tryOut(talk: Talk, url: string, before: Partial<Profile>): Promise<PrinterDraft | undefined> {
  const { runtime, output } = talk;
  const { system, signal, texts } = runtime;
  const { setup } = texts.printer;
  const address = printerAddress(url);
  if (address === undefined) return undefined;
  let paper: 58 | 80 = before.paper === 58 ? 58 : 80;
  let language: PrinterLanguage = before.printer_language === "star" ? "star" : "escpos";
  for (;;) {
    try {
      const bytes = testReceipt({ paper, language, drawer: false, beep: false }, texts.receipt);
      await printNow({ address, language, system }, bytes, signal);
    } catch (error) {
      if (!(error instanceof BposError) || signal.aborted) throw error;
      await output.warning(await describeError(error, texts, { advises: true }));
      return undefined;
    }
    await output.notice(texts.printer.tested(url));
    const width = setup.width(columnsByPaper[paper]);
    const choices = [setup.good, width, setup.signs, setup.letters, setup.nothing];
    const how = { signal, words: texts.questions };
    const chosen = choices[await system.prompts.choose(setup.paper, choices, how)];
    if (chosen === setup.good) return { printer: url, paper, printer_language: language };
    if (chosen === width) paper = paper === 80 ? 58 : 80;
    if (chosen === setup.signs) language = language === "escpos" ? "star" : "escpos";
    if (chosen === setup.letters) await output.notice(setup.lettersHint);
    if (chosen === setup.nothing) {
      await output.notice(setup.nothingHint);
      return undefined;
    }
  }
}

/** Finds a printer with a person, prints on it, and returns what a profile is to keep; undefined where that is nothing. */
export async function askPrinter(talk: Talk, before: Partial<Profile>): Promise<PrinterDraft | undefined> {
  const { runtime, output } = talk;
  const { system, signal, texts } = runtime;
  const { setup } = texts.printer;
  await output.notice(setup.intro);
  for (;;) {
    const url = await choosePrinter(talk, before.printer);
    if (url === undefined) return undefined;
    const draft = url === "" ? { printer: undefined } : await tryOut(talk, url, before);
    if (draft === undefined) continue;

    const question = draft.printer === undefined ? setup.removeIt : setup.keep(draft);
    return (await system.prompts.confirm(question, signal, texts.questions)) ? draft : undefined;
  }
}

async function setUp(runtime: Runtime): Promise<void> {
  const output = openOutput(runtime, ["table"]);
  const { system, flags } = runtime;
  const { setup } = output.ui.texts.printer;
  if (!mayAsk(runtime))
    throw new BposError("not_a_terminal", {
      flag: "`bpos profile add <name> --update --printer <url>`",
    });

  const { settings } = await traceSettings(system, flags, { journal: false });
  const { profile: name } = settings;
  if (name === undefined) throw new BposError("usage_flag", { problem: { kind: "profile_unnamed" } });
  const { profiles } = readProfiles(system);
  checkKnown(system, profiles, name);

  const draft = await askPrinter({ runtime, output }, findProfile(profiles, name) ?? {});
  if (draft === undefined) return output.notice(setup.notKept(name));
  await editKnown(system, name, ({ profiles: stored }) => {
    stored[name] = { ...stored[name], ...draft };
  });
  await output.data(`${setup.kept(name, draft.printer)}\n`);
}

/** Throws `not_a_terminal` and `interrupted`. */
export const setUpPrinter = (runtime: Runtime): Promise<void> => setUp(runtime).catch(stoppedSetup);
