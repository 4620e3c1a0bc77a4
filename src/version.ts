import manifest from "../package.json" with { type: "json" };

/** The build puts the commit in its place; there is none without a build. */
declare const builtFrom: string | null | undefined;

/** Of bpos, as every request, `bpos --version` and `bpos doctor` say it. */
export const version = manifest.version;

/** What this bpos was built from; null where that is not known. */
export const commit = typeof builtFrom === "undefined" ? null : builtFrom;
