import type { SpoiledAs } from "../../errors/problems.ts";
import { safeDigits } from "./numbers.ts";

/** True for what a program leaves of a long number: `7,79123E+12`, `12,3E+9`, Java's `7.79123E12`, or of a small one, `1,5E-05`. */
export const hasLostDigits = (text: string): boolean =>
  /^[+-]?(?:\dE\+\d{2,}|\d{1,3}[.,]\d+E(?:\+\d+|-\d{2,}|[7-9]|[1-9]\d+))$/i.test(text);

/** The judgement of a text that cannot be a code, with what it was taken for; a `doubtful` one may be a code. */
type CodeJudgement = { spoiled: SpoiledAs | "digits" | "error" } | "doubtful";

const spoiled = (as: SpoiledAs | "digits" | "error"): CodeJudgement => ({ spoiled: as });
const doubtful = "doubtful";

/** The kinds of characters, as bits: what a code is made of tells of most that it is one. */
export const made = { digit: 1, letter: 2, mark: 4, blank: 8, slash: 16, colon: 32, odd: 64, beyond: 128 };
const { digit, letter, mark, blank, slash, colon, odd, beyond } = made;

/** The bit of each character of ASCII. */
export const kindOf = Uint8Array.from({ length: 256 }, (_, code) => {
  const text = String.fromCharCode(code);
  if (code >= 0x80) return beyond;
  if (/\d/.test(text)) return digit;
  if (/[a-z]/i.test(text)) return letter;
  if (/[-.,]/.test(text)) return mark;
  return text === " " ? blank : text === "/" ? slash : text === ":" ? colon : odd;
});

const truths = new Set(["true", "false", "falso", "verdadero", "verdadeiro"]);

function isTruth(code: string): boolean {
  const { length } = code;
  return (length === 4 || length === 5 || length === 9 || length === 10) && truths.has(code.toLowerCase());
}

/** `#REF!`, `#¿NOMBRE?`, `#N/D`, `#####`: what failed, or did not fit, in any language. */
const errorSign = /^#(?:#+|[¡¿]?\p{Lu}[\p{Lu}\d/_ ]*[!?]|N\/(?:A|D|DISP)|\p{Lu}+_\p{Lu}+)$/u;
const errorWord = /^(?:Err(?:or)?:\s?\d{3}|(?:Loading|Cargando|Carregando)(?:\.{3}|…))$/i;

export const [minErrorLength, maxErrorLength] = ["Err:502".length, "Carregando...".length];

/** Returns true for the text of a calculation that failed or has not ended. */
export const isErrorValue = (text: string): boolean =>
  text.startsWith("#") ? errorSign.test(text) : text.length <= maxErrorLength && errorWord.test(text);

const monthNames =
  "enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,setiembre,octubre,noviembre,diciembre,january,february,march,april,may,june,july,august,september,october,november,december,janeiro,fevereiro,março,marco,maio,junho,julho,setembro,outubro,novembro,dezembro".split(
    ",",
  );
const shortNames = [...new Set(monthNames.map((name) => name.slice(0, 3)))];
const short = `(?:sept|${shortNames.join("|")})`;
const month = `(?:${monthNames.join("|")}|${short}\\.?)`;
const day = "(?:0?[1-9]|[12]\\d|3[01])";
const fullYear = "(?:19|20)\\d\\d";
const year = `(?:${fullYear}|\\d\\d)`;
const clock =
  "(?:[ T,]+\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?: ?[ap]\\.? ?m\\.?)?(?: ?(?:Z|[+-]\\d\\d:?\\d\\d))?)?";
const weekday = "(?:\\p{L}+\\.?,? )?";
/** Compiles an expression when it is first tested: most files have no code that could be a date. */
function only(...forms: string[]): Pick<RegExp, "test"> {
  let made: RegExp | undefined;
  return {
    test(code) {
      made ??= new RegExp(`^(?:${forms.join("|")})$`, "iu");
      return made.test(code);
    },
  };
}

/** With the day, the month's name and the year there is nothing else that it could be. */
const wholeDate = only(
  `${day}[-/. ]${month}[-/. ]${fullYear}${clock}`,
  `${fullYear}[-/. ]${month}[-/. ]${day}${clock}`,
  `${weekday}${month}[- ]${day},?[- ]${fullYear}${clock}`,
  `${weekday}${day}\\.? de ${month}(?: (?:de|del) ${year})?${clock}`,
  `${month} (?:de|del) ${fullYear}`,
  // As a script writes it.
  `[a-z]{3} ${short} \\d\\d ${fullYear} \\d\\d:\\d\\d:\\d\\d .*`,
);
/** As a spreadsheet writes them, in small letters or with a capital: `1-feb`, `feb-26`, `01/fev`, `feb.-26`. */
const partDate = only(
  `${day}[-/]${month}`,
  `${day}[-/. ]${month}[-/. ]${year}${clock}`,
  `${month}[-/]${year}`,
);
/** Matches texts that may be a date, or the code of a set of 12. */
const likeDate = only(`${day}[. ]${month}`, `${month}[-/. ](?:${day}|${year})`);

const monthStarts = new Set(shortNames.map((name) => packLetters(name, 0)));

/** Returns three letters as one number, whatever their case. */
function packLetters(text: string, at: number): number {
  return (
    ((text.charCodeAt(at) | 0x20) << 16) |
    ((text.charCodeAt(at + 1) | 0x20) << 8) |
    (text.charCodeAt(at + 2) | 0x20)
  );
}

/** Returns whether one of the words begins as a month does. */
function namesMonth(code: string): boolean {
  let before = 0;
  for (let at = 0; at < code.length; at++) {
    const kind = kindOf[code.charCodeAt(at)] ?? beyond;
    if (kind === letter && before !== letter && monthStarts.has(packLetters(code, at))) return true;
    before = kind;
  }
  return false;
}

function judgeMonth(code: string): CodeJudgement | null {
  if (wholeDate.test(code)) return spoiled("date");
  // A spreadsheet never writes a month in capitals: a person typed it.
  const isTyped = code === code.toUpperCase();
  if (partDate.test(code)) return isTyped ? doubtful : spoiled("date");
  return likeDate.test(code) ? doubtful : null;
}

const monthNumber = "(?:0?[1-9]|1[0-2])";
const dated = (separator: string): string =>
  `(?:${day}${separator}${monthNumber}|${monthNumber}${separator}${day})`;
const plainDate = only(
  `${dated("/")}/${year}${clock}`,
  `${dated("-")}-${fullYear}${clock}`,
  `${dated("\\.")}\\.${fullYear}${clock}`,
  ...["/", "-", "\\."].map((separator) => `${fullYear}${separator}${dated(separator)}${clock}`),
);
const likePlainDate = only(
  dated("/"),
  `${monthNumber}[-/]${fullYear}`,
  `${fullYear}[-/]${monthNumber}`,
  `${dated("-")}-[23]\\d`,
);
const time = only(
  "(?:\\d+ days? )?\\d{1,3}:[0-5]\\d:[0-5]\\d(?:[.,]\\d+)?(?: ?[ap]\\.? ?m\\.?)?",
  "\\d{1,2}:[0-5]\\d ?[ap]\\.? ?m\\.?",
  "[0-5]\\d:[0-5]\\d[.,]\\d",
);
const likeTime = /^\d{1,2}:[0-5]\d$/;

/** Matches numbers that no code looks like: many digits with a fraction of zeros, or thousands and a fraction. */
const numberOnly = /^(?:-?\d{5,}[.,]0+|-?\d{1,3}(?:\.\d{3})+,\d+|-?\d{1,3}(?:,\d{3})+\.\d+)$/;
const likeNumber =
  /^(?:\d{1,4}[.,]0|\d+,00|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:\.\d{3}){2,}|[1-9]\d{0,2}(?: \d{3}){2,})$/;
/** With an exponent: of a small number, of one that Java wrote, of one digit. */
const likeLost = /^[+-]?\d(?:[.,]\d+E-?\d+|E[+-]\d+)$/i;
const percent = /^-?\d+(?:[.,]\d+)? ?%$/;
const money = /^-? ?(?:(?:AR|MX|US|U|R)?\$U?|S\/\.?|[₲€]) ?-?\d[\d., ]*$|^-?\d[\d., ]* ?[$€₲]$/iu;

function judgeNumber(code: string): CodeJudgement | null {
  if (plainDate.test(code)) return spoiled("date");
  if (numberOnly.test(code)) return spoiled("number");
  return likePlainDate.test(code) || likeNumber.test(code) ? doubtful : null;
}

/** Judges a long number: a spreadsheet writes zeros from the 16th digit on. One or two zeros may be the code's own. */
function judgeLong(code: string): CodeJudgement | null {
  const known = code.replace(/^0+/, "");
  if (known.length <= safeDigits || !/^0+$/.test(known.slice(safeDigits))) return null;
  return known.length >= safeDigits + 3 ? spoiled("digits") : doubtful;
}

function judgeBeginning(code: string): CodeJudgement | null {
  if (code.length < 2) return null;
  if (code.startsWith("'")) return spoiled("mark");
  if (/^=[a-z\d"'“+\-({@$]/i.test(code)) return spoiled("formula");
  return null;
}

function judgeOdd(code: string): CodeJudgement | null {
  const begins = judgeBeginning(code);
  if (begins !== null) return begins;
  if (percent.test(code)) return doubtful;
  if (!money.test(code)) return null;
  return /[ ]|[.,]\d\d(?!\d)/.test(code) ? spoiled("money") : doubtful;
}

/** Returns what a spreadsheet may have made of a code, in Spanish, English and Portuguese; null for a code. */
export function judgeCode(code: string): CodeJudgement | null {
  let kinds = 0;
  for (let at = 0; at < code.length; at++) kinds |= kindOf[code.charCodeAt(at)] ?? beyond;
  return judgeMade(code, kinds);
}

/** Judges a code that consists of these kinds of characters. */
export function judgeMade(code: string, kinds: number): CodeJudgement | null {
  if (kinds === (digit | letter)) return null;
  if (kinds === digit) return code.length > safeDigits ? judgeLong(code) : null;
  if (kinds === letter) return isTruth(code) ? spoiled("truth") : null;
  // Most of the codes that come here, such as `ABC-12`: a date names a month, a number begins with a digit or its sign.
  if (kinds === (letter | digit | mark)) return judgeMarked(code);
  return judgeOthers(code, kinds);
}

function judgeMarked(code: string): CodeJudgement | null {
  if ((kindOf[code.charCodeAt(0)] ?? 0) !== letter) {
    const lost = judgeLost(code);
    if (lost !== null) return lost;
  }
  return namesMonth(code) ? judgeMonth(code) : null;
}

/** Returns true for a text that cannot be a code in a file of texts. */
export function isSpoiled(code: string): boolean {
  const judged = judgeCode(code);
  return judged !== null && judged !== doubtful;
}

function judgeOthers(given: string, kinds: number): CodeJudgement | null {
  // A number, or a time before its `p. m.`, may have such a blank.
  const code = (kinds & beyond) === 0 ? given : given.replace(/[\u00a0\u202f]/g, " ");
  if (isErrorValue(code)) return spoiled("error");
  const hasDigit = (kinds & digit) !== 0;
  const dated = hasDigit && (kinds & (letter | beyond)) !== 0 && namesMonth(code) ? judgeMonth(code) : null;
  if (dated !== null) return dated;
  if ((kinds & (odd | beyond)) !== 0 || code.startsWith("S/")) return judgeOdd(code) ?? judgeLost(code);
  if (!hasDigit) return null;
  if ((kinds & colon) !== 0) return judgeTime(code);
  return (kinds & letter) === 0 ? judgeNumber(code) : null;
}

function judgeTime(code: string): CodeJudgement | null {
  if (plainDate.test(code)) return spoiled("date");
  if (time.test(code)) return spoiled("time");
  return likeTime.test(code) ? doubtful : null;
}

function judgeLost(code: string): CodeJudgement | null {
  if (hasLostDigits(code)) return spoiled("digits");
  return likeLost.test(code) ? doubtful : null;
}

const firstHash = 0x811c9dc5;
const hashPrime = 0x01000193;
const zero = 0x30;
const nine = 0x39;
const separator = "-";
const separatorCode = separator.charCodeAt(0);

/** Marks a byte that is not a character by itself. */
const unlike = 0xff;
/** The value of each byte where codes are compared by their looks: its small letter, 0 for a sign between others. */
const looksOf = Uint8Array.from({ length: 256 }, (_, code) => {
  const text = String.fromCharCode(code);
  if (code >= 0x80 || text === "\\") return unlike;
  return /[-. _/]/.test(text) ? 0 : text.toLowerCase().charCodeAt(0);
});

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/**
 * Returns a code without what does not tell it from another at a glance: capitals, leading zeros, accents, invisible characters, and the
 * signs between its parts. Those between two digits are one and the same sign: `1-2` and `1.2` are not `12`.
 */
export function foldLooks(code: string): string {
  const seen = code
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
  const folded = seen
    .replace(/^0+(?=\d)/, "")
    .replace(/(?<=\d)[-. _/\u00a0]+(?=\d)/g, "\0")
    .replace(/[-. _/\u00a0]+/g, "")
    .replaceAll("\0", separator);
  return folded || seen || code;
}

function hashText(text: string): number {
  let hash = firstHash;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  return hash >>> 0 || 1;
}

/** Returns the hash of a code by its looks: codes that look alike have the same. Never zero, which means no hash. */
export const hashLooks = (code: string): number => hashText(foldLooks(code));

/** Returns the same hash for the bytes of a code between its quotes in JSON. Most codes need not become a text for it. */
export function hashJson(json: Buffer, from: number, to: number): number {
  let hash = firstHash;
  let last = 0;
  let isApart = false;
  let at = from;
  while (at + 1 < to && json[at] === zero && isDigit(json[at + 1] ?? 0)) at++;
  for (; at < to; at++) {
    const look = looksOf[json[at] ?? 0] ?? unlike;
    if (look === unlike) break;
    if (look === 0) {
      isApart = true;
      continue;
    }
    if (isApart && isDigit(last) && isDigit(look)) hash = Math.imul(hash ^ separatorCode, hashPrime);
    isApart = false;
    hash = Math.imul(hash ^ look, hashPrime);
    last = look;
  }
  if (at === to && last !== 0) return hash >>> 0 || 1;
  return hashLooks(JSON.parse(json.toString("utf8", from - 1, to + 1)) as string);
}
