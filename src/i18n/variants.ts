const capitalised = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);

/** What a country says in place of the neutral words of a language: `corre` is `corré`. All in small letters. */
export type Forms = Readonly<Record<string, string>>;

type Say = (text: string) => string;

const marked = /‹([^‹›\n]+)›/g;

function findForm(forms: Forms, word: string): string | undefined {
  const lower = word.toLowerCase();
  const form = Object.hasOwn(forms, lower) ? forms[lower] : undefined;
  if (form === undefined || word === lower) return form;
  return word === word.toUpperCase() ? form.toUpperCase() : capitalised(form);
}

/** What no form is known of is data, and stays as it is. */
const sayer =
  (forms: Forms, variant: "neutral" | "local"): Say =>
  (text) =>
    text.includes("‹")
      ? text.replace(marked, (whole, word: string) => {
          const form = findForm(forms, word);
          return form === undefined ? whole : variant === "local" ? form : word;
        })
      : text;

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

function sayAll(value: unknown, say: Say): unknown {
  if (typeof value === "string") return say(value);
  if (typeof value === "function")
    return (...facts: unknown[]) => sayAll((value as (...facts: unknown[]) => unknown)(...facts), say);
  if (Array.isArray(value)) return value.map((each) => sayAll(each, say));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return sayEach(value, say);
}

/** What an object holds, each when it is first asked for: the texts of a topic are in a file of their own. */
function sayEach(texts: object, say: Say): object {
  const said = {};
  for (const name of Object.keys(texts))
    Object.defineProperty(said, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = sayAll((texts as Record<string, unknown>)[name], say);
        Object.defineProperty(said, name, { value, enumerable: true });
        return value;
      },
    });
  return said;
}

/** Texts in one variant of their language, whose marked words are replaced as they leave: a text, what a function returns, what an object holds. */
export const inVariant = <T>(texts: T, forms: Forms, variant: "neutral" | "local"): T =>
  sayAll(texts, sayer(forms, variant)) as T;
