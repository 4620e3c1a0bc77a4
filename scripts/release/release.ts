// `npm run release`: makes everything that is published, in `release/`. docs/dev/releasing.md says how it is used.
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pMap from "p-map";
import {
  epoch,
  findChanges,
  packedAs,
  publication,
  refusePublication,
  release,
  root,
  version,
} from "./about.ts";
import { filesBelow, writeTar, writeZip } from "./archive.ts";
import { type Contents, put, putContents, readContents } from "./contents.ts";
import { writeDeb } from "./deb.ts";
import { keepCompiled, makeExecutable } from "./executable.ts";
import { writeManifests } from "./manifests.ts";
import { run } from "./run.ts";
import { makeSbom } from "./sbom.ts";
import { writeSums } from "./sums.ts";
import { archiveOf, baseOf, debOf, executableOf, type Target, targets, withOwnNode } from "./targets.ts";

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

/** Two take both cores, and a gigabyte. */
const concurrency = 2;

/** Makes the archive of a system, and its Debian package if it has one. */
async function makeTarget(target: Target, contents: Contents, work: string): Promise<void> {
  const compiled = join(work, "compiled");
  await keepCompiled(target, compiled);
  if (target.run === undefined) tell(`${target.name}: without compiled code, since nothing here can run it`);

  const folder = join(work, baseOf(target));
  putContents(folder, target, contents);
  const executable = join(folder, executableOf(target));
  await makeExecutable({ target, form: "binary", compiled, work: join(work, "binary") }, executable);
  const write = target.name === "win-x64" ? writeZip : writeTar;
  await write(work, baseOf(target), join(release, archiveOf(target)));

  if (target.debian === undefined) return;
  const processor = target.debian;
  const own = join(work, "bpos");
  await makeExecutable({ target, form: "deb", compiled, work: join(work, "deb") }, own);
  const content = { executable: own, processor, contents, work: join(work, "package") };
  await writeDeb(content, join(release, debOf(processor)));
}

async function makeTargets(wanted: readonly Target[], contents: Contents): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "bpos-release-"));
  const make = (target: Target): Promise<void> => makeTarget(target, contents, join(work, target.name));
  try {
    await pMap(wanted, make, { concurrency });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Builds the package, which everything else is made of. */
async function makePackage(): Promise<void> {
  await run("npm", ["pack", "--pack-destination", release], { cwd: root });
  renameSync(join(release, packedAs), join(release, `bpos-${version}.tgz`));
}

/** Writes the files that contain the other files' checksums. */
function seal(): void {
  writeManifests();
  writeSums();
  for (const name of filesBelow(release))
    tell(`${statSync(join(release, name)).size.toString().padStart(12)}  ${name}`);
}

const { values } = parseArgs({
  options: {
    /** For a trial: even with uncommitted changes, and without a repository. */
    trial: { type: "boolean" },
    /** Only this system, with the Node that runs this script. */
    "own-node": { type: "string" },
    /** Only manifests and checksums, of the existing files. */
    seal: { type: "boolean" },
  },
});

async function makeAll(): Promise<void> {
  const changes = findChanges();
  if (changes !== undefined && values.trial !== true)
    throw new Error(
      `A release is made of a commit, and these files are not committed:\n${changes}\n\`npm run release -- --trial\` makes one all the same, to try it.`,
    );
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release);
  tell(`bpos ${version}, of ${new Date(epoch * 1_000).toISOString()}`);
  await makePackage();
  const contents = await readContents();
  const own = values["own-node"];
  if (own !== undefined) {
    const wanted = targets.filter(({ name }) => name === own);
    if (wanted.length === 0)
      throw new Error(`--own-node ${own}: not one of ${targets.map((each) => each.name).join(", ")}`);
    await makeTargets(wanted.map(withOwnNode), contents);
    return;
  }
  await makeTargets(targets, contents);
  put(join(release, "THIRD-PARTY.txt"), contents.thirdParty);
  put(join(release, `bpos-${version}.cdx.json`), await makeSbom());
  seal();
}

process.chdir(root);
try {
  const refusal = values.trial === true ? undefined : refusePublication(publication);
  if (refusal !== undefined) throw new Error(refusal);
  if (values.seal === true) seal();
  else await makeAll();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
