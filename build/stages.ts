import type { CodeSplittingGroup } from "rolldown";

const contract = /src[\\/]contract[\\/](order|catalog|campaign|problem)\.ts$/;
const errorWords = /src[\\/]errors[\\/]words[\\/]/;
const catalog = /src[\\/]texts[\\/]([\w-]+)\.json$/;
const endpoints = /src[\\/]contract[\\/]endpoints\.ts$|node_modules[\\/]zod[\\/]v4[\\/]classic[\\/]iso\.js$/;
const plurals = /src[\\/]texts[\\/]message\.ts$|node_modules[\\/](?:intl-messageformat|@formatjs)[\\/]/;

/** Names the chunk of modules that every run imports but few need: schemas, error texts, text catalogs, plurals. */
function apart(id: string): string | null {
  if (errorWords.test(id)) return "error-words";
  if (catalog.test(id)) return `texts-${catalog.exec(id)?.[1] ?? ""}`;
  if (plurals.test(id)) return "plurals";
  // Every call needs the dates of zod too: one file less to open.
  if (endpoints.test(id)) return "endpoints";
  const [, subject] = contract.exec(id) ?? [];
  return subject === undefined ? null : `contract-${subject}`;
}

/**
 * Which modules lie in one file. Most of a start is opening files: with `apart` alone, `orders list --json` took 3 %
 * longer, and without that `--help` 9 %. What is in no group the bundler puts together by the commands that import it.
 */
export const groups: CodeSplittingGroup[] = [
  { name: apart, debugName: "apart", includeDependenciesRecursively: false, priority: 3 },
  // All that `bpos --version` needs, with what these import: in one file with the next it takes 30 % longer.
  { name: "base", test: /[\\/]src[\\/](system|errors|version|cli[\\/]runtime)\.ts$/, priority: 2 },
  // All that `src/main.ts` imports, but not that file: its own name has no hash, so its code is not kept.
  { name: "start", tags: ["$initial"], test: /^(?!.*[\\/]src[\\/]main\.ts$)/, priority: 1 },
];
