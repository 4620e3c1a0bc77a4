import { existsSync } from "node:fs";
import { join } from "node:path";
import { addressOf, epoch, fillTemplate, publication, release } from "./about.ts";
import { put } from "./contents.ts";
import { sha256Of } from "./sums.ts";
import { archiveOf, targets } from "./targets.ts";

const identifier = `${publication.publisher}.bpos`;

/** The file that is made from each template. */
const manifests: Readonly<Record<string, string>> = {
  Dockerfile: "Dockerfile",
  "compose.yaml": "compose.yaml",
  "Formula/bpos.rb": "Formula/bpos.rb",
  "bucket/bpos.json": "bucket/bpos.json",
  "winget/version.yaml": `winget/${identifier}.yaml`,
  "winget/installer.yaml": `winget/${identifier}.installer.yaml`,
  "winget/locale.yaml": `winget/${identifier}.locale.en-US.yaml`,
};

/** Writes what package managers read, with the addresses and checksums of the archives that are there. */
export function writeManifests(): void {
  const made = targets.filter((target) => existsSync(join(release, archiveOf(target))));
  const facts = Object.fromEntries(
    made.flatMap((target) => {
      const archive = archiveOf(target);
      return [
        [`${target.name} address`, addressOf(archive)],
        [`${target.name} sum`, sha256Of(archive)],
      ];
    }),
  );
  const date = new Date(epoch * 1_000).toISOString().slice(0, 10);
  for (const [template, name] of Object.entries(manifests))
    put(join(release, name), fillTemplate(template, { ...facts, identifier, date }));
}
