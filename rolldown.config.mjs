import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The name, the version and the whole licence of a package that is bundled. */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)(\.|$)/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r", "").trim());
  // A few have it at the end of their README only.
  if (texts.length === 0)
    texts.push(
      ...(/## licen[cs]e\s+(.*)$/is.exec(readFileSync(join(folder, "README.md"), "utf8"))?.slice(1) ?? []),
    );
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
    const bundled = folders.flatMap((match) => match?.[0] ?? []);
    const served = ["htmx.org", "htmx-ext-sse"].map((name) => join("node_modules", name));
    const packages = [...new Set([...bundled, ...served].map((folder) => resolve(folder)))].sort();
    // jq-wasm has the licence of its own code only.
    const program = `jq 1.8, in jq-wasm\n\n${readFileSync("docs/licences/jq.txt", "utf8").trim()}`;
    const texts = [...packages.map(notice), program].join(`\n\n${"-".repeat(80)}\n\n`);
    const source = `bpos contains these packages.\n\n${texts}\n`;
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY.txt", source });
  },
};

/** What the mock's page loads: one stylesheet of the views' own, and scripts as they are. */
const styles = ["console", "orders", "ticket", "catalog", "campaigns", "requests", "world", "docs", "narrow"];
const pageFiles = {
  "htmx.js": ["node_modules/htmx.org/dist/htmx.min.js"],
  "sse.js": ["node_modules/htmx-ext-sse/dist/sse.min.js"],
  "console.js": ["console", "board"].map((part) => `src/mock/console/static/${part}.js`),
  "console.css": styles.map((view) => `src/mock/console/static/${view}.css`),
};
const page = {
  name: "page",
  generateBundle() {
    for (const [name, files] of Object.entries(pageFiles)) {
      const source = files.map((file) => readFileSync(file, "utf8")).join("\n");
      this.emitFile({ type: "asset", fileName: `console/${name}`, source });
    }
  },
};

/** jq is a program of its own, in WebAssembly: read only for --jq. */
const jq = {
  name: "jq",
  generateBundle() {
    const source = readFileSync("node_modules/jq-wasm/dist/build/jq.wasm");
    this.emitFile({ type: "asset", fileName: "jq.wasm", source });
  },
};

/** The same as libphonenumber-js has, but it keeps its patterns: to make them anew for each phone was a third of a plan. */
const matchesEntirely = `const known = new Map();
export default (text, pattern) => {
  if (!known.has(pattern)) known.set(pattern, new RegExp("^(?:" + pattern + ")$"));
  return known.get(pattern).test(text || "");
};`;

/** What a package loads and nothing here has a use for, or makes too often: each takes longer than the work of a short command. */
const spared = [
  ...["./helpers/matchesEntirely.js", "./matchesEntirely.js"].map((part) => ({
    by: "libphonenumber-js",
    part,
    code: matchesEntirely,
  })),
  // For calls over HTTP/2, which are not made.
  { by: "undici", part: "node:http2", code: "module.exports = { constants: {} };" },
  // For bodies that are messages of Node's own server, and for the limit of headers, which is this one.
  {
    by: "undici",
    part: "node:http",
    code: "module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 };",
  },
  // For its own mistakes: in its place this loads nothing.
  {
    by: "undici",
    part: "node:assert",
    code: "module.exports = (ok, why) => { if (!ok) throw why instanceof Error ? why : new Error(why ?? 'undici: assertion failed'); };",
  },
  // For subcommands that are programs of their own, which there are none of.
  { by: "commander", part: "node:child_process", code: "module.exports = {};" },
  // As a module it opens all three streams.
  { by: "chalk", part: "node:process", code: "export default process;" },
  // Its pattern of all emoji takes a third of the time of a table; cli/display/table.ts gives it only characters of one column.
  { by: "cli-table3", part: "string-width", code: "module.exports = (text) => [...text].length;" },
  // For borders and headers that it would colour itself.
  { by: "cli-table3", part: "@colors/colors/safe", code: "module.exports = {};" },
  // For a driver in C, for several sessions at a time, and for another kind of machine.
  ...["./native", "pg-pool", "pg-cloudflare"].map((part) => ({
    by: "pg",
    part,
    code: "module.exports = class {};",
  })),
  // For pictures, which no receipt has; one of them comes without its licence.
  ...["@canvas/image-data", "canvas-dither", "canvas-flatten", "resize-image-data"].map((part) => ({
    by: "@point-of-sale/receipt-printer-encoder",
    part,
    code: "export default undefined;",
  })),
];
const sparing = {
  name: "sparing",
  resolveId(id, importer = "") {
    const found = spared.find(
      ({ by, part }) => part === id && importer.replaceAll("\\", "/").includes(`/node_modules/${by}/`),
    );
    return found === undefined ? null : `\0${found.by} ${found.part}`;
  },
  load: (id) => spared.find(({ by, part }) => id === `\0${by} ${part}`)?.code ?? null,
};

/** Loads each file of ours and each of Node's modules at its first use: some take longer than the work of a short command. */
const lazy = {
  name: "lazy",
  renderChunk(code) {
    let lazily = code;
    // The bundler's own functions are needed at once.
    for (const [line, name, load, isOurs] of code.matchAll(
      /^(?:const|let) ((?:node|require)_\w+) = (require\("(?!.*rolldown-runtime)(?:node:|(\.))[^"]+"\));$/gm,
    ))
      if (!code.includes(`__toESM(${name},`))
        lazily = lazily
          .replaceAll(new RegExp(`\\b${name}\\.`, "g"), `(${name}()).`)
          .replace(
            line,
            `let ${name}$;\nconst ${name} = () => (${name}$ ??= ${load});${isOurs ? `\n(globalThis.bposFiles ??= []).push(${name});` : ""}`,
          );
    return lazily;
  },
};

/** Modules that are loaded together, with all that they import, unless an earlier stage has it. */
const stage = (name, modules) => ({ name, test: (id) => modules.test(id.replaceAll("\\", "/")) });

/** The same without what they import. */
const alone = (name, modules) => ({ ...stage(name, modules), includeDependenciesRecursively: false });

/** What every run says of a language is one file, and what an error says; every other topic has its own. */
function languageAndTopic(id) {
  const [, language, topic] = /(e[ns])[\\/]?([\w-]*)\.ts$/.exec(id);
  if (/^(general|help.*|)$/.test(topic)) return language;
  return `${language}-${/errors|usage|database/.test(topic) ? "errors" : topic}`;
}

/** What a run loads, in this order: most of a start is opening files, and each stage is one. */
const stages = [
  // Every run compiles the first one again: it finds the folder of compiled code.
  alone("boot", /\/src\/(system|system\/.*|settings\/(folders|rights))\.ts$/),
  alone(languageAndTopic, /\/src\/i18n\/e[ns]\b/),
  ...["order", "catalog", "campaign", "problem"].map((name) =>
    alone(`contract-${name}`, new RegExp(`/src/contract/${name}\\.ts$`)),
  ),
  stage("zod", /\/node_modules\/zod\//),
  stage("base", /\/src\/(errors|version|contract\/limits|cli\/runtime)\.ts$/),
  stage("start", /\/src\/(program|cli\/display\/format|contract\/endpoints|i18n\/[^/]+)\.ts$/),
  stage("output", /\/src\/cli\/(session\/mocks|display\/(output|fields|json))\.ts$/),
  stage("command", /\/src\/(cli\/(session\/session|display\/(text|error-text))|api\/client)\.ts$/),
  stage("journal", /\/src\/journal\/(journal|sqlite|locks)\.ts$/),
  stage("table", /\/src\/cli\/display\/table\.ts$/),
  stage("file", /\/src\/input\/(rows|columns|file|numbers)\.ts$/),
  stage("catalog", /\/src\/(input\/catalog|catalog\/(catalog-file|push\/carry-out))\.ts$/),
  stage("push", /\/src\/(api\/ask|journal\/(pushes|catalog))\.ts$/),
].map((group, place, all) => ({ ...group, priority: all.length - place }));

const shared = {
  platform: "node",
  // A native addon finds its own binary beside itself.
  external: ["libsql"],
};
const output = {
  dir: "dist",
  // They are in the source; stack traces keep their lines.
  comments: { legal: true, annotation: false, jsdoc: false },
};

// tsc makes the types.
export default [
  {
    // The command, as CommonJS: Node starts it sooner (docs/decisions/29-commonjs-command.md).
    ...shared,
    input: { start: "src/start.ts", main: "src/main.ts" },
    plugins: [notices, page, jq, sparing, lazy],
    output: {
      ...output,
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "chunks/[name]-[hash].cjs",
      cleanDir: true,
      codeSplitting: { groups: stages },
    },
  },
  {
    // The library.
    ...shared,
    input: { index: "src/index.ts", "mock/index": "src/mock/index.ts" },
    plugins: [sparing],
    output: { ...output, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" },
  },
];
