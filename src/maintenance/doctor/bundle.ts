import { strToU8, zipSync } from "fflate";
import { number } from "../../cli/display/format.ts";
import { mayAsk, type Output } from "../../cli/display/output.ts";
import { column, table } from "../../cli/display/table.ts";
import { heading, paragraph } from "../../cli/display/text.ts";
import { writeNamedFile } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { BposError } from "../../errors.ts";
import { type BundleFile, type Found, makeFiles } from "./bundle-files.ts";
import type { DoctorFlags } from "./command.ts";

interface Listed {
  name: BundleFile;
  bytes: number;
}

/** On a terminal a person sees what would be in it, and may say no; elsewhere the line names the file. */
async function confirm(
  { system, signal, texts }: Runtime,
  { errorUi }: Output,
  { file, files }: { file: string; files: readonly Listed[] },
): Promise<void> {
  const words = texts.doctor.bundle;
  const rows = table(
    [
      column<Listed>(words.columns.file, 1, ({ name }) => name),
      column<Listed>(words.columns.bytes, 2, ({ bytes }) => number(bytes, errorUi), { align: "right" }),
      column<Listed>(words.columns.what, 1, ({ name }) => words.what[name], { shrinkTo: 20 }),
    ],
    files,
    errorUi,
  );
  const lines = [
    ...heading(words.title, errorUi),
    rows.trimEnd(),
    "",
    ...paragraph(words.without, errorUi),
    "",
  ];
  // With --quiet too: it is what the person is asked about.
  await system.stderr.write(`\n${lines.join("\n")}\n`);
  if (!(await system.prompts.confirm(words.ask(file), signal, texts.questions)))
    throw new BposError("declined", { of: "bundle" });
}

/** Writes what support needs, and nothing of persons; returns what is in it. */
export async function writeBundle(
  output: Output,
  found: Found,
  { bundle: file = "", force, yes }: DoctorFlags,
): Promise<{ file: string; files: readonly Listed[] }> {
  const { runtime } = found;
  const texts = Object.entries(await makeFiles(found)) as [BundleFile, string][];
  const contents = texts.map(([name, text]) => [name, strToU8(text)] as const);
  const files = contents.map(([name, { length: bytes }]) => ({ name, bytes }));
  if (yes !== true && mayAsk(runtime)) await confirm(runtime, output, { file, files });

  // Not the time of writing: the format knows no zone.
  const zip = zipSync(Object.fromEntries(contents), { mtime: new Date(1980, 0, 1) });
  await writeNamedFile(runtime.system, file, zip, { isNew: force !== true, mode: 0o600 });
  return { file, files };
}
