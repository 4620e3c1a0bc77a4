// Who may import whom, one named rule a line: `only(WHO, [MAY IMPORT])`.
// Type-only imports are free where the line says "types"; everything else is a run-time import.

/** Every `only`, for the picture in CONTRIBUTING.md. */
export const permissions = [];

/** The file that others import of a room, by the room. */
export const doors = {};

const below = (names) => names.map((name) => `^src/${name}(/|\\.tsx?$)`);
const only = (who, allowed, { types = [], except = [] } = {}) => {
  permissions.push({ who, allowed });
  return [
    ["imports", allowed, { dependencyTypesNot: ["type-only"] }],
    ["types", [...allowed, ...types], { dependencyTypes: ["type-only"] }],
  ].map(([kind, names, edge]) => ({
    name: `${who}-${kind}`,
    severity: "error",
    comment: `src/${who} may import (${kind}): ${names.join(", ") || "nothing of src"}`,
    from: { path: `^src/${who}(/|\\.tsx?$)`, ...(except.length > 0 && { pathNot: below(except) }) },
    to: { path: "^src/", pathNot: below([who, ...names]), ...edge },
  }));
};

/** The floors of a room, from the bottom: each may import those before it, and no floor one after it. */
const floors = (room, names) =>
  names.slice(0, -1).map((name, n) => ({
    name: `${room}-${name}-floor`,
    severity: "error",
    comment: `src/${room}/${name} is below: ${names.slice(n + 1).join(", ")}`,
    from: { path: below([`${room}/${name}`]) },
    to: { path: below(names.slice(n + 1).map((above) => `${room}/${above}`)) },
  }));

/** A room of which others import one file. */
const door = (room, file) => {
  doors[room] = file;
  return {
    name: `${room}-door`,
    severity: "error",
    comment: `others import src/${file} of src/${room}, and no other file`,
    from: { path: "^src/", pathNot: below([room]) },
    to: { path: below([room]), pathNot: below([file]) },
  };
};

export const leaves = ["contract", "errors", "version", "own-files", "rename"];
export const shared = [
  "api",
  "input",
  "journal",
  "delivery",
  "printing",
  "settings",
  "cli",
  "texts",
  ...leaves,
];
export const features = ["orders", "catalog", "campaigns", "profiles", "maintenance"];

// `catalog/sending` and `campaigns/sending` are no verbs: their verbs share them.
const anyFeature = `^src/(${features.join("|")})`;

export default {
  forbidden: [
    ...only("start", ["main", "settings", "system"]),
    ...only("main", ["run-line", "cli", "errors", "system", "version"], { types: ["texts"] }),
    ...only("run-line", [
      "texts",
      "program",
      "mock",
      "cli",
      "settings",
      "errors",
      "own-files",
      "system",
      "version",
    ]),
    ...only("program", [...features, "schemas", "mock", "cli", "errors", "system"], { types: ["texts"] }),
    ...only("schemas", [...features, "mock", "contract"]),
    ...features.flatMap((feature) => only(feature, shared, { types: ["system"] })),
    ...only("cli", ["settings", "api", "input", "journal", "texts", ...leaves], {
      types: ["system"],
    }),
    ...only("delivery", ["api", "journal", ...leaves], { types: ["system", "texts"] }),
    // On paper stand the same words and amounts as on a screen; stations are recorded in the journal, as in `delivery`.
    ...only(
      "printing",
      [...leaves, "api/json", "cli/display", "cli/files", "cli/line/printer-flags", "input", "texts"],
      {
        types: ["journal", "settings", "system"],
      },
    ),
    door("printing", "printing/printing"),
    ...only("settings", leaves, { types: ["system"] }),
    ...only("api", leaves),
    ...only("input", leaves),
    ...only("journal", [...leaves, "sqlite"]),
    ...floors("journal", ["engine", "locks", "records", "upkeep", "journal"]),
    ...only("mock", ["contract", "own-files", "sqlite"], {
      types: ["errors", "texts"],
      except: ["mock/mock", "mock/command", "mock/console"],
    }),
    ...only("mock/console", ["mock", "texts", "contract", "own-files"]),
    ...only("mock/command", ["mock", "cli", "input", "settings", "texts", ...leaves], { types: ["system"] }),
    ...only("mock/mock", ["mock/index", "mock/command", "cli"], { types: ["mock/core"] }),
    ...floors("mock", ["core", "control", "console", "index", "command", "mock"]),
    door("mock", "mock/mock"),
    ...only("index", ["api", "system", ...leaves]),
    ...only("own-files", []),
    ...only("rename", []),
    ...only("sqlite", []),
    ...only("contract", []),
    ...only("version", []),
    ...only("errors", ["texts"], { types: ["contract"] }),
    ...only("system", ["own-files"]),
    ...only("texts", []),
    {
      name: "bin-imports",
      severity: "error",
      comment: "the binary starts main with the real system and does nothing else",
      from: { path: "^bin/" },
      to: { path: "^(src|dist)/", pathNot: "^(src/(main|system)\\.ts|dist/start\\.cjs)$" },
    },
    {
      name: "verbs-import-no-verb",
      severity: "error",
      comment: "verbs of one feature never import each other: what two need stands one level up",
      from: { path: `${anyFeature}/([^/]+)/` },
      to: { path: "^src/$1/[^/]+/", pathNot: "^src/$1/($2|sending)/" },
    },
    {
      name: "feature-imports-no-verb",
      severity: "error",
      comment: "a file at a feature's top never imports a verb's folder",
      from: { path: `${anyFeature}/[^/]+$` },
      to: { path: "^src/$1/[^/]+/", pathNot: "^src/$1/sending/" },
    },
    {
      name: "display-reads-no-line",
      severity: "error",
      comment: "a command line is read with the words of the display, never the other way round",
      from: { path: "^src/cli/display/" },
      to: { path: "^src/cli/(line|files|session)/" },
    },
    {
      name: "no-cycles",
      severity: "error",
      comment: "neither at run time nor by types",
      from: {},
      to: { circular: true },
    },
    {
      name: "undici-lives-in-transport",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/api/(transport|proxy)\\.ts$" },
      to: { path: "^node_modules/undici/" },
    },
    {
      name: "libsql-lives-in-sqlite",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/sqlite\\.ts$" },
      to: { path: "^node_modules/libsql/" },
    },
    {
      name: "colours-live-in-cli",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/cli/" },
      to: { path: "^node_modules/chalk/" },
    },
    {
      name: "contract-is-zod-only",
      severity: "error",
      from: { path: "^src/contract/" },
      to: { path: "^node_modules/", pathNot: "^node_modules/zod/" },
    },
    {
      name: "no-test-in-src",
      severity: "error",
      from: { path: "^(src|bin)/" },
      to: { path: "^test/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules|^dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
