import type { T } from "./texts.ts";

/** Names of values in usage lines, by their names in the declarations. */
export const placeholders: Readonly<Record<string, (t: T) => string>> = {
  address: (t) => t("address // value of a flag"),
  character: (t) => t("character // value of a flag"),
  code: (t) => t("code // value of a flag"),
  codes: (t) => t("codes // value of a flag"),
  column: (t) => t("column // value of a flag"),
  columns: (t) => t("columns // value of a flag"),
  command: (t) => t("command // value of a flag"),
  digits: (t) => t("digits // value of a flag"),
  duration: (t) => t("duration // value of a flag"),
  factor: (t) => t("factor // value of a flag"),
  file: (t) => t("file // value of a flag"),
  folder: (t) => t("folder // value of a flag"),
  format: (t) => t("format // value of a flag"),
  id: (t) => t("id // value of a flag"),
  ids: (t) => t("ids // value of a flag"),
  language: (t) => t("language // value of a flag"),
  limit: (t) => t("limit // value of a flag"),
  mm: (t) => t("mm // value of a flag"),
  n: (t) => t("n // value of a flag"),
  name: (t) => t("name // value of a flag"),
  names: (t) => t("names // value of a flag"),
  "new-name": (t) => t("new-name // value of a flag"),
  pairs: (t) => t("pairs // value of a flag"),
  phone: (t) => t("phone // value of a flag"),
  program: (t) => t("program // value of a flag"),
  ref: (t) => t("ref // value of a flag"),
  rule: (t) => t("rule // value of a flag"),
  send: (t) => t("send // value of a flag"),
  push: (t) => t("push // value of a flag"),
  shell: (t) => t("shell // value of a flag"),
  sign: (t) => t("sign // value of a flag"),
  state: (t) => t("state // value of a flag"),
  states: (t) => t("states // value of a flag"),
  statuses: (t) => t("statuses // value of a flag"),
  text: (t) => t("text // value of a flag"),
  time: (t) => t("time // value of a flag"),
  url: (t) => t("url // value of a flag"),
  when: (t) => t("when // value of a flag"),
  which: (t) => t("which // value of a flag"),
  words: (t) => t("words // value of a flag"),
  days: (t) => t("days // value of a flag"),
  hours: (t) => t("hours // value of a flag"),
  zone: (t) => t("zone // value of a flag"),
  rate: (t) => t("rate // value of a flag"),
  share: (t) => t("share // value of a flag"),
};

/** Names a value in usage lines; a name without words stays as it is. */
export const placeholderText = (name: string, t: T): string => placeholders[name]?.(t) ?? name;

/** A flag or a command line with its placeholders in the reader's language. */
export const spokenFlag = (line: string, t: T): string =>
  line.replace(/(?<=[<[])[a-z-]+(?=[>\]])/g, (name) => placeholderText(name, t));
