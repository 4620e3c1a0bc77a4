import { existsSync } from "node:fs";
import tseslint from "typescript-eslint";

// Biome formats and lints syntax; this file holds only the rules that need types.
export default tseslint.config(
  // Its packages and what they generate come with test:e2e: without them its types are unknown.
  { ignores: existsSync("e2e/service.d.ts") ? ["e2e/service.d.ts"] : ["e2e"] },
  { ignores: ["dist", "coverage", "release", "**/*.mjs", "bin", "src/**/static"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-console": "error",
      "max-lines": ["error", { max: 400 }],
      "max-lines-per-function": ["error", { max: 60 }],
      "max-params": ["error", 4],
      "no-restricted-properties": [
        "error",
        {
          object: "process",
          property: "exit",
          message: "Set process.exitCode in bin, so that output drains.",
        },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // zod's loose objects carry an index signature; dot access stays readable and is checked by TypeScript.
      "@typescript-eslint/dot-notation": "off",
      // Taking a key out of an object by destructuring is how it is left out of the rest.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    // The version of Node chooses the driver of SQLite.
    ignores: ["src/system.ts", "src/system/**", "src/sqlite.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        { name: "process", message: "The outside world comes in as a System (src/system.ts)." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: "Ask the Clock that was passed in.",
        },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: "Ask the Clock that was passed in.",
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: "Ask the random source that was passed in.",
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts", "e2e/**/*.test.ts"],
    rules: { "max-lines-per-function": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
);
