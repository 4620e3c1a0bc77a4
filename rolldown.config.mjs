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
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    // One folder below dist, as src/commands is one below src: paths to fixtures/ are the same from both.
    chunkFileNames: "chunks/[name]-[hash].js",
    cleanDir: true,
  },
};
