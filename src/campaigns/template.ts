import type { SendTemplate } from "../journal/records/sends.ts";

export const variable = /\{\{\s*(\d+)\s*\}\}/g;

/** The message that somebody gets; a variable without a value stays as it is written. */
export const renderTemplate = (text: string, params: readonly string[]): string =>
  text.replace(variable, (hole, number: string) => params[Number(number) - 1] ?? hole);

export const templateLabel = ({ name, id }: SendTemplate): string => name ?? id ?? "";
