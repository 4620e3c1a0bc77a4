import { arch } from "node:os";
import valid from "semver/functions/valid.js";
import { userAgent } from "../../api/call.ts";
import { parseBase } from "../../api/client.ts";
import { send, type TransportAnswer, TransportError } from "../../api/transport.ts";
import { openOutput } from "../../cli/display/output.ts";
import { paragraph } from "../../cli/display/text.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { openNetwork } from "../../cli/session/network.ts";
import { isNewer, keepLatest } from "../../cli/session/update.ts";
import type { Detail } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import { findInstallation, installedForm } from "../../own-files.ts";
import type { System } from "../../system.ts";
import { version } from "../../version.ts";
import type { UpgradeFlags } from "./command.ts";

/** A person waits. */
const defaultLimitMs = 10_000;
const maxBytes = 1024 * 1024;

function readRegistry(env: System["env"]): { origin: string; path: string } {
  const names = ["npm_config_registry", "NPM_CONFIG_REGISTRY"];
  const name = names.find((each) => env[each]?.trim());
  const given = name === undefined ? undefined : parseBase(name, env[name]?.trim() ?? "");
  return given ?? { origin: "https://registry.npmjs.org", path: "" };
}

/** The version of an answer, or why it holds none. */
function readVersion({ status, text }: TransportAnswer): string | { status: number } | { detail: Detail } {
  if (status !== 200) return { status };
  if (/^\s*</.test(text)) return { detail: { kind: "answer_html" } };
  try {
    const { version: found } = (JSON.parse(text) ?? {}) as { version?: unknown };
    const latest = typeof found === "string" ? valid(found) : null;
    return latest ?? { detail: { kind: "answer_lacks", path: "version", type: "string" } };
  } catch {
    return { detail: { kind: "answer_not_json" } };
  }
}

/** Asks for the newest version. Sends nothing but the version of this bpos, in its user agent. Throws `registry_failed`. */
async function askLatest(runtime: Runtime): Promise<string> {
  const { system, signal, flags } = runtime;
  const { origin, path } = readRegistry(system.env);
  const registry = origin + path;
  const network = await openNetwork(runtime);
  const headers = { accept: "application/json", "user-agent": userAgent };
  const limits = { timeoutMs: flags.timeout ?? defaultLimitMs, maxBytes, signal };
  const request = { method: "GET", origin, path: `${path}/bpos/latest`, headers, body: undefined } as const;
  try {
    const found = readVersion(await send(network.dispatcher, { ...request, ...limits }));
    if (typeof found === "string") return found;
    throw new BposError("registry_failed", { registry, ...found });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (signal.aborted) throw new BposError("interrupted", { during: "look" }, { cause: error });
    throw new BposError("registry_failed", { registry, detail: error.detail }, { cause: error });
  } finally {
    await network.dispatcher.destroy();
  }
}

const commands = {
  global: "npm i -g bpos@latest",
  local: "npm i bpos@latest",
  npx: "npx bpos@latest",
  checkout: "git pull && npm ci",
};

const managers: readonly [folder: RegExp, command: string][] = [
  [/\/Cellar\/bpos\//, "brew upgrade bpos"],
  [/\\scoop\\apps\\bpos\\/i, "scoop update bpos"],
  [/\\WinGet\\Packages\\/i, "winget upgrade bpos"],
];

type Place = Pick<System, "program" | "platform"> & { machine: string };

/** How this installation comes to another version: `command` is null where no one command does it, `file` must be downloaded first. */
export function findWay(
  installation: ReturnType<typeof findInstallation>,
  latest: string,
  { program: [program = ""], platform, machine }: Place,
): { command: string | null; file?: string } {
  if (installation === "deb") {
    const file = `bpos_${latest}_${machine === "x64" ? "amd64" : machine}.deb`;
    return { command: `sudo apt install ./${file}`, file };
  }
  if (installation !== "binary") return { command: commands[installation] };
  const manager = managers.find(([folder]) => folder.test(program));
  if (manager !== undefined) return { command: manager[1] };
  const end = platform === "win32" ? `win-${machine}.zip` : `${platform}-${machine}.tar.gz`;
  return { command: null, file: `bpos-${latest}-${end}` };
}

export async function upgrade(runtime: Runtime, { check }: UpgradeFlags): Promise<void> {
  if (check !== true) throw new BposError("usage_flag", { problem: { kind: "upgrade_by_hand" } });
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { system, outTexts: texts } = runtime;
  const latest = await askLatest(runtime);
  keepLatest(system, latest);

  const newer = isNewer(latest);
  const way = findWay(findInstallation(), latest, { ...system, machine: arch() });
  const command = newer ? way.command : null;
  if (output.format !== "table")
    return output.document({ version, latest, newer, form: installedForm(), command });
  if (!newer && output.quiet) return undefined;

  const words = texts.upgrade;
  const { file } = way;
  const said = newer
    ? [
        words.newer(latest, version),
        ...(file === undefined ? [] : [words.download(file)]),
        command === null ? words.replace : words.run(command),
      ]
    : [words.newest(version)];
  return output.data(`${said.flatMap((line) => paragraph(line, output.ui)).join("\n")}\n`);
}
