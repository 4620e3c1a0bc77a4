import {
  chmodSync,
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
import { rolldown } from "rolldown";
import type { Form } from "../../src/own-files.ts";
import { root } from "./about.ts";
import { run } from "./run.ts";
import type { Target } from "./targets.ts";

/** The mark by which Node finds whether a program was put into it. */
const sentinelFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const postject = join(root, "node_modules/postject/dist/cli.js");

const filesIn = (folder: string): string[] => readdirSync(folder).map((name) => `${folder}/${name}`);

/** Files of its own that the command reads: its code, what its pages load, jq, and the files of the demo. */
const ownFiles = (): string[] => [
  ...["dist/main.cjs", "dist/jq.wasm"],
  ...filesIn("dist/chunks").filter((file) => file.endsWith(".cjs")),
  ...filesIn("dist/console"),
  ...filesIn("fixtures/demo"),
];

/** Builds what loads the command out of an executable. */
async function buildLoader(file: string): Promise<void> {
  const build = await rolldown({ input: "src/system/executable.ts", platform: "node" });
  await build.write({ file, format: "cjs" });
}

/** Commands that people start often; together they need most of the code that any command does. */
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
export async function keepCompiled(target: Target, folder: string): Promise<void> {
  if (target.run === undefined) return;
  const [command, ...argv] = [...target.run, target.node];
  const home = mkdtempSync(join(tmpdir(), "bpos-release-"));
  // The environment is empty, so that the result is the same everywhere.
  const env = { PATH: "/usr/bin:/bin", BPOS_HOME: home, TZ: "UTC" };
  try {
    for (const line of [...usual, []]) {
      const whole = [...argv, "--predictable", "scripts/release/compiled.ts", folder, ...line];
      // The demo's mock rejects a row, so the exit code is 3.
      await run(command, whole, { env, allowed: [0, 3] });
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A Windows program without its signature, which becomes invalid when something is put into it. */
function withoutSignature(program: Buffer): Buffer {
  const optionalHeader = program.readUInt32LE(0x3c) + 24;
  // The fifth of its tables, in the header of a program of 64 bits.
  const table = optionalHeader + 112 + 4 * 8;
  const at = program.readUInt32LE(table);
  if (at === 0) return program;
  program.fill(0, table, table + 8);
  return program.subarray(0, at);
}

const isForMac = ({ name }: Target): boolean => name.startsWith("darwin");

/** A Mac starts nothing that was changed after it was signed, and on Apple's processors nothing unsigned. Only a Mac can sign. */
async function sign(file: string): Promise<void> {
  if (process.platform !== "darwin") return;
  const identity = process.env["BPOS_SIGN_AS"] || "-";
  const hardened = identity === "-" ? [] : ["--options", "runtime", "--timestamp"];
  const rights = join(import.meta.dirname, "templates/entitlements.plist");
  await run("codesign", ["--force", "--sign", identity, ...hardened, "--entitlements", rights, file]);
}

async function makeBlob({ target, form, compiled, work }: Making): Promise<string> {
  const formFile = join(work, "form");
  writeFileSync(formFile, form);
  // It stands in the executable by the name given here, so no folder of this machine may be in it.
  const main = "bpos.cjs";
  await buildLoader(join(work, main));
  const code = ownFiles().filter((own) => existsSync(join(compiled, `${own}.code`)));
  const assets = {
    form: formFile,
    ...Object.fromEntries(ownFiles().map((own) => [own, join(root, own)])),
    ...Object.fromEntries(code.map((own) => [`${own}.code`, join(compiled, `${own}.code`)])),
  };
  const output = join(work, "program.blob");
  const config = { main, output, disableExperimentalSEAWarning: true, assets };
  const configFile = join(work, "program.json");
  writeFileSync(configFile, JSON.stringify(config));
  await run(target.maker, ["--experimental-sea-config", configFile], { cwd: work });
  return output;
}

interface Making {
  target: Target;
  form: Form;
  /** Compiled code of this target, as `keepCompiled` made it. */
  compiled: string;
  /** For intermediate files. */
  work: string;
}

/** Writes Node with the command in it into `file`. */
export async function makeExecutable(making: Making, file: string): Promise<void> {
  const { target, work } = making;
  mkdirSync(work, { recursive: true });
  const blob = await makeBlob(making);
  const node = readFileSync(target.node);
  writeFileSync(file, target.name.startsWith("win") ? withoutSignature(node) : node);
  chmodSync(file, 0o755);
  if (isForMac(target) && process.platform === "darwin") await run("codesign", ["--remove-signature", file]);
  const segment = isForMac(target) ? ["--macho-segment-name", "NODE_SEA"] : [];
  const line = [postject, file, "NODE_SEA_BLOB", blob, "--sentinel-fuse", sentinelFuse, ...segment];
  await run(process.execPath, line);
  if (isForMac(target)) await sign(file);
}
