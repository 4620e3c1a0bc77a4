/**
 * Which mock BPOS_MOCK asks for, or `--mock` where that is given: a running one by its address, which may be none, the
 * embedded one, or no mock at all.
 */
export function askedMock(
  env: Readonly<Record<string, string | undefined>>,
  flag = false,
): { address: string } | "embedded" | undefined {
  const variable = env["BPOS_MOCK"] ?? "";
  if (/^https?:/.test(variable)) return { address: variable };
  return flag || !["", "0"].includes(variable) ? "embedded" : undefined;
}
