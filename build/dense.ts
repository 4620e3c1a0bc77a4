import type { Plugin } from "rolldown";
import { minifySync } from "rolldown/utils";

const codegen = { removeWhitespace: true, asciiOnly: true, legalComments: "inline" } as const;

/** Minifies files that are mostly package code, which saves 2 % of the package. Our own code keeps its lines in stack traces. */
export const dense: Plugin = {
  name: "dense",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk" || file.isEntry) continue;
      const parts = Object.entries(file.modules);
      const sum = (of: typeof parts): number =>
        of.reduce((all, [, { renderedLength }]) => all + renderedLength, 0);
      const ours = parts.filter(([id]) => !id.includes("node_modules"));
      if (sum(ours) > sum(parts) / 4) continue;

      const { code, errors } = minifySync(file.fileName, file.code, {
        compress: false,
        mangle: false,
        codegen,
      });
      for (const { message } of errors) this.error(`${file.fileName}: ${message}`);
      file.code = code;
    }
  },
};
