import { openOutput } from "../../cli/display/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { BposError } from "../../errors.ts";
import type { ServiceKind } from "./command.ts";
import { describeService, type Service } from "./service.ts";
import { isInHome, systemdUnit } from "./systemd.ts";
import { launchdAgent, windowsTask } from "./xml.ts";

/** Flags of every command, which one behind `--` would have needed there. */
const ownFlags = {
  profile: "--profile",
  mock: "--mock",
  apiKeyFile: "--api-key-file",
  baseUrl: "--base-url",
  campaignsUrl: "--campaigns-url",
  caFile: "--ca-file",
} as const;

function format(kind: ServiceKind, service: Service, { outTexts: texts, system }: Runtime): string {
  if (kind === "systemd") return systemdUnit(service, texts.service);
  if (kind === "launchd") return launchdAgent(service, texts.service, system);
  return windowsTask(service, system);
}

/** What of the shell that prints it the service will not have; a folder of its own it has. */
const variablesLost = ({ env }: Runtime["system"]): string[] =>
  Object.keys(env)
    .filter((name) => /^(BPOS_(?!HOME$)\w+|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name))
    .sort();

function listWarnings(kind: ServiceKind, service: Service, runtime: Runtime): string[] {
  const { texts, system } = runtime;
  const words = texts.service;
  const { paths, resolved, flags, command } = service;
  const before = Object.entries(ownFlags).filter(
    ([name]) => runtime.flags[name as keyof typeof ownFlags] !== undefined,
  );
  const home = kind === "systemd" ? paths.find(isInHome) : undefined;
  const lost = variablesLost(system);
  const hasOutput = flags.exec !== undefined || flags.outDir !== undefined || flags.printer !== undefined;
  const isLoud = kind !== "task" && command === "bpos orders watch" && hasOutput && flags.quiet !== true;
  const warnings = [
    before.length > 0 && words.flagsBefore(before.map(([, flag]) => flag)),
    ...Object.entries(resolved).map(([typed, path]) => words.resolved(typed, path)),
    flags.mock === true && words.mock,
    lost.length > 0 && words.variablesLost(lost, kind),
    home !== undefined && words.home(home),
    isLoud && words.loud,
  ];
  return warnings.filter((each) => each !== false);
}

/** Prints what makes a service manager run the command behind `--`. */
export async function printService(
  runtime: Runtime,
  kind: ServiceKind,
  words: readonly string[],
): Promise<void> {
  // As for every script for another program, there is no JSON of it.
  const output = openOutput(runtime, ["table"]);
  if (words.length === 0)
    throw new BposError("usage_flag", {
      problem: { kind: "subcommand_missing", command: "bpos service print" },
    });

  const command = await runtime.parseLine(words, runtime);
  const service = describeService(words, command, runtime.system);
  await runtime.system.stdout.write(format(kind, service, runtime));
  for (const warning of listWarnings(kind, service, runtime)) await output.warning(warning);
  if (kind === "task") await output.notice(runtime.texts.service.task(service.name));
}
