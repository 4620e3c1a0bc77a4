import { chmodSync, cpSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { epoch, fillTemplate } from "./about.ts";
import { filesBelow } from "./archive.ts";
import { type Contents, put, readService } from "./contents.ts";
import { run } from "./run.ts";

interface Package {
  executable: string;
  processor: string;
  contents: Contents;
  /** An empty folder for intermediate files. */
  work: string;
}

/** As Debian's tools write it: Thu, 26 Nov 2026 14:00:00 +0000. */
const rfcDate = new Date(epoch * 1_000).toUTCString().replace("GMT", "+0000");

/** Level 9, without a name and a time. */
const gzip = (text: string): Buffer => gzipSync(text, { level: 9 });

function layOut({ executable, processor, contents, work }: Package): void {
  const share = join(work, "usr/share");
  const documents = join(share, "doc/bpos");
  const { completions } = contents;
  put(join(share, "man/man1/bpos.1.gz"), gzip(contents.manual));
  put(join(share, "bash-completion/completions/bpos"), completions.bash);
  put(join(share, "zsh/vendor-completions/_bpos"), completions.zsh);
  put(join(share, "fish/vendor_completions.d/bpos.fish"), completions.fish);
  put(join(documents, "copyright"), `${fillTemplate("debian/copyright", {})}\n${contents.licence}`);
  // Not among the documents, which small images leave out.
  put(join(share, "bpos/THIRD-PARTY.txt"), contents.thirdParty);
  put(join(share, "bpos/bpos-watch.service"), readService("bpos-watch.service"));
  put(join(documents, "changelog.gz"), gzip(fillTemplate("debian/changelog", { date: rfcDate })));
  put(join(share, "lintian/overrides/bpos"), fillTemplate("debian/overrides", {}));
  put(join(work, "usr/bin/bpos"), "");
  cpSync(executable, join(work, "usr/bin/bpos"));
  chmodSync(join(work, "usr/bin/bpos"), 0o755);
  const bytes = filesBelow(work).reduce((sum, path) => sum + statSync(join(work, path)).size, 0);
  const size = String(Math.ceil(bytes / 1_024));
  put(join(work, "DEBIAN/control"), fillTemplate("debian/control", { processor, size }));
}

/** Folders are readable for everyone too, whatever this machine's umask. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
}

/** Writes a Debian package, which runs no script of its own when it is installed or removed. */
export async function writeDeb(content: Package, file: string): Promise<void> {
  layOut(content);
  openFolders(content.work);
  // The first level of xz: the next ones take twice as long for 3 %.
  const form = ["--root-owner-group", "-Zxz", "-z1"];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) };
  await run("dpkg-deb", [...form, "--build", content.work, file], { env });
}
