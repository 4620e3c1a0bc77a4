import { quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";

interface Stations {
  known: readonly string[];
  similar: string | null;
}

/** Says which stations there are, in place of the one that was named. */
export function knownStations({ known, similar }: Stations, t: T): string {
  if (similar !== null) return t("Did you mean {similar}? // a station", { similar: quoted(similar) });
  return known.length === 0
    ? t("The profile has no stations.")
    : t("The stations are {known}.", { known: known.join(", ") });
}
