import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { release, version } from "../../scripts/release/about.ts";
import { packages } from "../../scripts/release/targets.ts";
import { ended, folderForAll, node24 } from "./support.ts";

const folder = folderForAll();

describe.each(["npm-10", "npm-11"])("the package, installed with %s", (name) => {
  const own = join(folder, name);
  const prefix = join(own, "prefix");
  const env = { HOME: own, PATH: `${join(prefix, "bin")}:${join(node24, "..")}:/usr/bin:/bin` };
  const npm = [node24, join(packages, name, "bin/npm-cli.js")];

  it("compiles and runs nothing, and gives the command", async () => {
    mkdirSync(own);
    const { cache } = process.env["npm_config_cache"]
      ? { cache: process.env["npm_config_cache"] }
      : { cache: join(process.env["HOME"] ?? "/root", ".npm") };
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--cache", cache];
    const line = ["install", "--global", "--prefix", prefix, ...flags, join(release, `bpos-${version}.tgz`)];
    // With the settings for a proxy, as `npm run` has them.
    expect(await ended([...npm, ...line], { ...process.env, ...env })).toMatchObject({ code: 0 });
    expect(await ended(["bpos", "--version"], env)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("finds its manual", async () => {
    const page = join(prefix, "share/man/man1/bpos.1");
    expect(readFileSync(page, "utf8")).toContain(".SS bpos orders watch");
    const { code, stdout } = await ended(["man", "bpos"], { ...env, MANPAGER: "cat", COLUMNS: "80" });
    if (code !== "ENOENT") expect(stdout).toContain("bpos orders watch");
  });

  it("tells its form", async () => {
    const said = await ended(["bpos", "--version", "--json"], env);
    expect(JSON.parse(said.stdout)).toMatchObject({ version, form: "npm", os: "linux", arch: "x64" });
    const { stdout } = await ended(["bpos", "--mock", "doctor"], env);
    expect(stdout).toMatch(/Node\.js .*bpos .*\(npm package\)/);
  });

  it("tours", async () => {
    expect((await ended(["bpos", "demo", "--yes"], env, own)).stdout).toContain("MOCK · Catalog push");
  });
});
