import { isLosslessNumber } from "lossless-json";

export type Fields = Readonly<Record<string, unknown>>;

/** True for a JSON object. A number that no double can hold is kept in an object, but is not one. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
export const onlyObjects = (values: readonly unknown[]): Fields[] => values.filter(isFields);
export const present = (value: unknown): boolean => value !== null && value !== undefined && value !== "";
