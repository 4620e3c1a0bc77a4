import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "postject";
import { rolldown } from "rolldown";
import type { Form } from "../../src/own-files.ts";
import type { Target } from "./targets.ts";

/** What Node looks for in itself: whether a program was put into it. */
const sentinelFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

const filesIn = (folder: string): string[] => readdirSync(folder).map((name) => `${folder}/${name}`);

/** What the command reads of its own: its code, what its pages load, jq, and the files of the demo. */
const ownFiles = (): string[] => [
  ...["dist/main.cjs", "dist/jq.wasm"],
  ...filesIn("dist/chunks").filter((file) => file.endsWith(".cjs")),
  ...filesIn("dist/console"),
  ...filesIn("fixtures/demo"),
];

/** Builds what loads the command out of an executable. */
export async function buildLoader(file: string): Promise<void> {
  const build = await rolldown({ input: "src/system/executable.ts", platform: "node" });
  await build.write({ file, format: "cjs" });
}

/** What people start most; it needs most of the code that any command does. */
const usual = [
  ["--help"],
  ["--mock", "orders", "list", "--json"],
  ["--mock", "orders", "list"],
  ["--mock", "orders", "watch", "--once"],
  ["--mock", "catalog", "push", "fixtures/demo/prices.csv"],
  ["--mock", "campaign", "send", "fixtures/demo/customers.csv", "--template", "pedido_listo", "--dry-run"],
  ["--mock", "--lang", "es", "orders", "list"],
];

/** Runs the usual commands on the Node of a target, and keeps what V8 compiled. Where nothing can run it, there is nothing, and the executable takes longer to start. */
export function keepCompiled({ run, node }: Target, folder: string): void {
  if (run === undefined) return;
  const [command, ...argv] = [...run, node, "--predictable", "scripts/release/compiled.ts", folder];
  const home = mkdtempSync(join(tmpdir(), "bpos-release-"));
  try {
    for (const line of [...usual, []]) {
      const { status, stderr } = spawnSync(command, [...argv, ...line], { env: { BPOS_HOME: home } });
      // The mock of the demo rejects a row.
      if (status !== 0 && status !== 3) throw new Error(`bpos ${line.join(" ")}: ${stderr.toString()}`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Making {
  target: Target;
  form: Form;
  /** Of this target, as `keepCompiled` made it. */
  compiled: string;
  loader: string;
  /** For what is needed on the way. */
  work: string;
}

/** Writes Node with the command in it into `file`. */
export async function makeExecutable({ target, form, compiled, loader, work }: Making, file: string) {
  mkdirSync(work, { recursive: true });
  const formFile = join(work, "form");
  writeFileSync(formFile, form);
  const code = ownFiles().filter((own) => existsSync(join(compiled, `${own}.code`)));
  const assets = {
    form: formFile,
    ...Object.fromEntries(ownFiles().map((own) => [own, own])),
    ...Object.fromEntries(code.map((own) => [`${own}.code`, join(compiled, `${own}.code`)])),
  };
  const blob = join(work, "program.blob");
  const config = { main: loader, output: blob, disableExperimentalSEAWarning: true, assets };
  const configFile = join(work, "program.json");
  writeFileSync(configFile, JSON.stringify(config));
  execFileSync(target.maker, ["--experimental-sea-config", configFile], { stdio: "ignore" });

  copyFileSync(target.node, file);
  const options = target.name.startsWith("darwin") ? { machoSegmentName: "NODE_SEA" } : {};
  await inject(file, "NODE_SEA_BLOB", readFileSync(blob), { sentinelFuse, ...options });
}
