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

// One file for what a command needs, instead of hundreds: most of a start is opening files. tsc makes the types.
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
  plugins: [notices],
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    // One folder below dist, as src/commands is one below src: paths to fixtures/ are the same from both.
    chunkFileNames: "chunks/[name]-[hash].js",
    cleanDir: true,
    // They are in the source; stack traces keep their lines.
    comments: { legal: true, annotation: false, jsdoc: false },
  },
};
