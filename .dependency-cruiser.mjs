// The import table of the house, one named rule a line: `only(WHO, [MAY IMPORT])`.
// Type-only imports are free where the table says "types"; everything else is a run-time edge.
const only = (who, allowed, { types = [] } = {}) => [
  {
    name: `${who}-imports`,
    severity: "error",
    comment: `src/${who} may import at run time: ${allowed.join(", ") || "nothing of src"}`,
    from: { path: `^src/${who}(/|\\.ts$)` },
    to: {
      path: "^src/",
      pathNot: [who, ...allowed].map((name) => `^src/${name}(/|\\.ts$)`),
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: `${who}-types`,
    severity: "error",
    comment: `src/${who} may import types of: ${[...allowed, ...types, "errors"].join(", ")}`,
    from: { path: `^src/${who}(/|\\.ts$)` },
    to: {
      path: "^src/",
      pathNot: [who, "errors", ...allowed, ...types].map((name) => `^src/${name}(/|\\.ts$)`),
      dependencyTypes: ["type-only"],
    },
  },
];

export default {
  forbidden: [
    ...only("main", ["run", "commands", "view", "errors", "system"]),
    ...only("run", ["program", "commands", "view", "errors", "system"]),
    ...only("program", ["commands", "view", "errors", "system"]),
    ...only(
      "commands",
      ["flows", "view", "text", "config", "mock", "api", "input", "journal", "contract", "errors"],
      {
        types: ["system"],
      },
    ),
    ...only("flows", ["input", "api", "journal", "contract", "errors"]),
    ...only("input", ["contract", "errors"]),
    ...only("api", ["contract", "errors"]),
    ...only("journal", ["contract", "errors"]),
    ...only("config", ["contract", "errors"]),
    ...only("view", ["text", "contract", "errors"], { types: ["flows", "input", "config"] }),
    ...only("mock", ["contract"]),
    ...only("index", ["api", "contract", "errors", "system"]),
    ...only("contract", []),
    ...only("errors", []),
    ...only("system", []),
    ...only("text", [], { types: ["contract", "input"] }),
    {
      name: "bin-imports",
      severity: "error",
      comment: "the binary starts main with the real system and does nothing else",
      from: { path: "^bin/" },
      to: { path: "^(src|dist)/", pathNot: "^(src|dist)/(main|system)\\.(ts|js)$" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "undici-lives-in-transport",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/api/transport\\.ts$" },
      to: { path: "^node_modules/undici/" },
    },
    {
      name: "colours-live-in-view",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/view/" },
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
