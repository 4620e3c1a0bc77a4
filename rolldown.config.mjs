import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The name, the version and the whole licence of a package that is bundled. */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)(\.|$)/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r", "").trim());
  if (texts.length === 0) throw new Error(`${name} ${version} is bundled but has no licence file`);
  return [`${name} ${version} (${license})`, ...texts].join("\n\n");
}

/** The licences of what is bundled ask to travel along with it. */
const notices = {
  name: "third-party-notices",
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => file.moduleIds ?? []);
    const folders = modules.map((id) =>
      /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id.replace(/^\0/, "")),
    );
    const packages = [...new Set(folders.flatMap((match) => match?.[0] ?? []))].sort();
    this.emitFile({
      type: "asset",
      fileName: "THIRD-PARTY.txt",
      source: `bpos contains these packages.\n\n${packages.map(notice).join(`\n\n${"-".repeat(80)}\n\n`)}\n`,
    });
  },
};

/** undici reads it for calls over HTTP/2, which nothing here makes: to load it takes longer than a short call. */
const withoutHttp2 = {
  name: "without-http2",
  resolveId: (id, importer) => (id === "node:http2" && importer?.includes("undici") ? "\0http2" : null),
  load: (id) => (id === "\0http2" ? "module.exports = { constants: {} };" : null),
};

/** Modules that are loaded together, with all that they import, unless an earlier stage has it. */
const stage = (name, modules) => ({ name, test: (id) => modules.test(id.replaceAll("\\", "/")) });

/** What a run loads, in this order: most of a start is opening files, and each stage is one. */
const stages = [
  stage("base", /\/src\/(errors|system)\.ts$/),
  stage("start", /\/src\/(run|commands\/color|view\/theme|text\/(?!en\b|es\b)[^/]+)\.ts$/),
  stage("contract", /\/src\/(contract\/(endpoints|public-host)|mock\/data-error)\.ts$/),
  stage("english", /\/src\/text\/en\.ts$/),
  stage(
    "command",
    /\/src\/(commands\/(session|flag-values|global-flags|fields)|view\/(table|json|error|chosen-fields|order-fields)|flows\/instants)\.ts$/,
  ),
  stage("client", /\/src\/(api\/client|commands\/network)\.ts$/),
  stage("journal", /\/src\/journal\/(open|claims)\.ts$/),
].map((group, place, all) => ({ ...group, priority: all.length - place }));

// tsc makes the types.
export default {
  input: {
    main: "src/main.ts",
    system: "src/system.ts",
    index: "src/index.ts",
    "mock/index": "src/mock/index.ts",
  },
  platform: "node",
  // A native addon finds its own binary beside itself.
  external: ["libsql"],
  plugins: [notices, withoutHttp2],
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    // One folder below dist, as src/commands is one below src: paths to fixtures/ are the same from both.
    chunkFileNames: "chunks/[name]-[hash].js",
    cleanDir: true,
    codeSplitting: { groups: stages },
    // They are in the source; stack traces keep their lines.
    comments: { legal: true, annotation: false, jsdoc: false },
  },
};
