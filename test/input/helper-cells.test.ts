import { expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { es } from "../../src/i18n/es.ts";
import { isExcludedCell, isHelperCell } from "../../src/input/own-rows.ts";

it.each([en, es])("knows its own helper cells again in $language: nobody excluded comes back", ({ push }) => {
  const { incompleteRow, uncheckedRow, excludedRow } = push;
  expect([incompleteRow, uncheckedRow, excludedRow].map(isHelperCell)).toEqual([true, true, true]);
  expect([incompleteRow, uncheckedRow, excludedRow].map(isExcludedCell)).toEqual([false, false, true]);
});
