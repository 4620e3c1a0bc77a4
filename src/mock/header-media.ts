import { headerUrlProblem } from "../contract/public-host.ts";
import type { HeaderKind } from "./templates.ts";

const extensions: Readonly<Record<Exclude<HeaderKind, "none">, readonly string[]>> = {
  image: ["jpg", "jpeg", "png"],
  video: ["mp4"],
  document: ["pdf"],
};

/**
 * Why a header file's URL does not fit a template, in one sentence; null when it does (`spec.md` 4.3). Only the
 * URL is looked at: nothing is downloaded.
 */
export function headerProblem(kind: HeaderKind, given: string | undefined): string | null {
  if (kind === "none") return null;
  if (given === undefined || given === "") {
    return `header_media_url is required: the template has a header of kind ${kind}`;
  }
  const problem = headerUrlProblem(given);
  if (problem !== null) return `header_media_url ${problem}`;
  const extension = /\.([^./]+)$/.exec(new URL(given).pathname)?.[1]?.toLowerCase() ?? "";
  const allowed = extensions[kind];
  return allowed.includes(extension)
    ? null
    : `header_media_url must end in .${allowed.join(" or .")} for a header of kind ${kind}`;
}
