import manifest from "../package.json" with { type: "json" };

/** Of bpos, as every request, `bpos --version` and `bpos doctor` say it. */
export const version = manifest.version;
