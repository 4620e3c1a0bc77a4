import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { release, version } from "../../scripts/release/about.ts";
import { debOf } from "../../scripts/release/targets.ts";
import { DebianRoot, findHindrance } from "./debian-root.ts";
import { folderForAll } from "./support.ts";

const hindrance = findHindrance();
const deb = debOf("amd64");

if (hindrance !== undefined) it(`the Debian package NOT TRIED: ${hindrance}`, () => undefined);
else
  describe("on a new Debian", () => {
    const debian = new DebianRoot(join(folderForAll(), "root"));
    let before: string[];

    beforeAll(async () => {
      await debian.make(["bash-completion", "man-db", "zsh", "fish"]);
      await debian.sh("useradd --create-home shop");
      before = await debian.files();
      debian.copy(join(release, deb), "tmp/bpos.deb");
    });

    it("is installed by apt, and known as a Debian package", async () => {
      const { code, stderr } = await debian.sh("apt-get install --yes /tmp/bpos.deb");
      expect(code, stderr).toBe(0);
      expect((await debian.as("shop", "bpos --version")).stdout).toBe(`${version}\n`);
      const told = JSON.parse((await debian.as("shop", "bpos --version --json")).stdout) as object;
      expect(told).toMatchObject({ version, form: "deb" });
      const { stdout } = await debian.as("shop", "bpos --mock doctor");
      expect(stdout).toMatch(/Node\.js .*\(Debian package\)/);
    });

    it("tours, watches and has its manual", async () => {
      const tour = await debian.as("shop", "bpos demo --yes");
      expect(tour.code, tour.stderr).toBe(0);
      expect(tour.stdout).toContain("MOCK · Catalog push");
      const watch = await debian.as("shop", "bpos --mock orders watch --once");
      expect(watch.code, watch.stderr).toBe(0);
      expect((await debian.as("shop", "man bpos")).stdout).toContain("bpos orders watch");
    });

    it("completes in bash, zsh and fish, as these find it", async () => {
      const words = ". /usr/share/bash-completion/bash_completion; __load_completion bpos";
      const line = `COMP_WORDS=(bpos orders wa); COMP_CWORD=2; _bpos; echo "$\{COMPREPLY[@]}"`;
      expect((await debian.as("shop", `${words}; ${line}`)).stdout.trim()).toBe("watch");
      const fish = await debian.as("shop", `fish -c 'complete -C "bpos orders wa"'`);
      expect(fish.stdout).toMatch(/^watch\t/);
      writeFileSync(join(debian.folder, "tmp/complete.zsh"), onTerminal);
      const zsh = await debian.as("shop", "timeout --signal=KILL 60 zsh -f /tmp/complete.zsh");
      expect(zsh.stdout).toContain("Usage: bpos orders watch");
    });

    it("leaves nothing but what the user made when it is purged", async () => {
      const { code, stderr } = await debian.sh("apt-get purge --yes bpos");
      expect(code, stderr).toBe(0);
      const left = (await debian.files()).filter((path) => !before.includes(path));
      expect(left.length).toBeGreaterThan(0);
      expect(left.filter((path) => !path.startsWith("./home/shop/"))).toEqual([]);
    });

    it("does what the Dockerfile says, and runs as its user", async () => {
      for (const command of commandsOfDockerfile()) {
        const { code, stderr } = await debian.sh(command);
        expect(code, command + stderr).toBe(0);
      }
      const env = { BPOS_HOME: "/var/lib/bpos", HOME: "/var/lib/bpos" };
      const line =
        "cd && /usr/bin/bpos --mock orders watch --once --out-dir /srv/orders -q && ls /srv/orders";
      const { code, stdout, stderr } = await debian.as("bpos", line, env);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain(".json");
    });
  });

/** A person who types into zsh and presses the tabulator. */
const onTerminal = `
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; print REA""DY'
zpty -r shell seen '*READY*'
zpty -w -n shell $'bpos orders wa\\t'
zpty -r shell seen '*orders watch*'
zpty -w shell '--help'
zpty -r shell seen '*Usage: bpos orders watch*'
print -r -- $seen
`;

function commandsOfDockerfile(): string[] {
  const text = readFileSync(join(release, "Dockerfile"), "utf8").replaceAll("\\\n", " ");
  return [...text.matchAll(/^RUN (.*)$/gm)].map(([, command = ""]) => command);
}
