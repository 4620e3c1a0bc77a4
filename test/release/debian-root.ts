import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../scripts/release/run.ts";
import { type Ended, ended } from "./support.ts";

/** Returns the source of this machine's Debian packages; undefined on another system. */
function findMirror(): string | undefined {
  const folder = "/etc/apt/sources.list.d";
  const more = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const texts = ["/etc/apt/sources.list", ...more]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8").replace(/^\s*#.*$/gm, ""));
  return /https?:\/\/\S+\/debian\/?(?=\s|$)/.exec(texts.join("\n"))?.[0];
}

const mirror = findMirror();

/** Why a Debian cannot be made here; undefined where it can. */
export function findHindrance(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can make a Debian in a folder";
  if (!existsSync("/usr/sbin/debootstrap"))
    return "there is no debootstrap (Debian: apt install debootstrap)";
  if (mirror === undefined) return "no mirror of Debian is in this machine's sources";
  return undefined;
}

// Mounts of a space of their own, which are gone with the process; what it leaves running as well.
const enter = `mount -t proc proc "$0/proc" &&
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" &&
mount --bind "$0/dev/pts/ptmx" "$0/dev/ptmx" &&
exec chroot "$0" "$@"`;

const inSpace = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter];

/** A Debian in a folder. */
export class DebianRoot {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Fetches a Debian with as little as possible and what is named. */
  async make(packages: readonly string[]): Promise<void> {
    const line = ["--variant=minbase", `--include=${packages.join(",")}`, "bookworm", this.folder];
    await run("debootstrap", [...line, mirror ?? ""]);
  }

  copy(file: string, to: string): void {
    copyFileSync(file, join(this.folder, to));
  }

  /** Runs a shell line in it as root. */
  sh(line: string, env: Record<string, string> = {}): Promise<Ended> {
    const all = { HOME: "/root", DEBIAN_FRONTEND: "noninteractive", TERM: "dumb", LC_ALL: "C.UTF-8", ...env };
    return ended([...inSpace, this.folder, "bash", "-c", line], all);
  }

  /** Runs a shell line in it as a user who owns nothing but a home. */
  as(user: string, line: string, env: Record<string, string> = {}): Promise<Ended> {
    const become = `exec setpriv --reuid=${user} --regid=${user} --clear-groups bash -c "$BPOS_TEST_LINE"`;
    return this.sh(become, { HOME: `/home/${user}`, BPOS_TEST_LINE: line, ...env });
  }

  /** Everything in it but what its own tools keep of an installation. */
  async files(): Promise<string[]> {
    const left = ["./var/lib/dpkg", "./var/lib/apt", "./var/cache", "./var/log", "./proc", "./dev", "./tmp"];
    const skip = left.flatMap((path) => ["-path", path, "-prune", "-o"]);
    const { stdout } = await ended(["find", ".", ...skip, "-print"], {}, this.folder);
    return stdout.trim().split("\n").sort();
  }
}
