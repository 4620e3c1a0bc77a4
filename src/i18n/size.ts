const units = ["KB", "MB", "GB", "TB"];

/** A size in bytes as people say it: `12 KB`, `1.4 GB`. */
export function sizeText(bytes: number, decimal: "." | ","): string {
  const steps = Math.min(units.length, Math.max(1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** steps;
  const text = value < 10 && steps > 1 ? value.toFixed(1) : String(Math.ceil(value));
  return `${text.replace(".", decimal)} ${units[steps - 1] ?? ""}`;
}
