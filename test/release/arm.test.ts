import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { release, version } from "../../scripts/release/about.ts";
import { run } from "../../scripts/release/run.ts";
import { debOf, runArm } from "../../scripts/release/targets.ts";
import { ended, folderForAll, unpack } from "./support.ts";

const folder = folderForAll();
const home = { BPOS_HOME: join(folder, "home") };

const emulator = runArm;
if (emulator === undefined)
  it("linux-arm64 NOT TRIED: it needs Debian's qemu-user-static and libstdc++6-arm64-cross", () => undefined);
else
  describe("linux-arm64", () => {
    it("says its version, tours and watches", async () => {
      const bpos = [...emulator, join(await unpack("linux-arm64", folder), "bpos")];
      const told = await ended([...bpos, "--version", "--json"], home);
      expect(JSON.parse(told.stdout)).toMatchObject({ version, form: "binary", os: "linux", arch: "arm64" });
      const tour = await ended([...bpos, "demo", "--yes"], home);
      expect(tour.code, tour.stderr).toBe(0);
      expect(tour.stdout).toContain("MOCK · Catalog push");
      const watch = await ended([...bpos, "--mock", "orders", "watch", "--once", "-o", "ndjson"], home);
      expect(watch.code, watch.stderr).toBe(0);
      expect(watch.stdout.trim().split("\n").length).toBeGreaterThan(2);
    }, 240_000);
  });

it("the Debian package for arm64 has a program for it, and the files of the other one", async () => {
  const [amd, arm] = [join(release, debOf("amd64")), join(release, debOf("arm64"))];
  const fields = await run("dpkg-deb", ["--field", arm, "Package", "Version", "Architecture"]);
  expect(fields).toBe(`Package: bpos\nVersion: ${version}\nArchitecture: arm64\n`);
  const names = async (deb: string): Promise<string[]> =>
    (await run("dpkg-deb", ["--contents", deb])).split("\n").map((line) => line.replace(/^.* \.\//, ""));
  expect(await names(arm)).toEqual(await names(amd));
  const root = join(folder, "deb");
  await run("dpkg-deb", ["--extract", arm, root]);
  const program = readFileSync(join(root, "usr/bin/bpos"));
  expect(program.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
  expect(program.readUInt16LE(18)).toBe(183);
});
