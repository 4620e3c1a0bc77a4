import manifest from "../package.json" with { type: "json" };

/** The build puts the commit in its place; there is none without a build. */
declare const builtFrom: string | null | undefined;

/** The version of bpos, as every request, `bpos --version` and `bpos doctor` say it. */
export const version = manifest.version;

/** The commit that this bpos was built from; null if that is not known. */
export const commit = typeof builtFrom === "undefined" ? null : builtFrom;
