import { type FlagsOf, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareUpgrade(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.upgrade;
  return verb(program, "upgrade", words, {
    exits: ["ok", "usage", "unavailable", "config", "interrupted"],
    variables: ["npm_config_registry", "HTTPS_PROXY", "BPOS_HOME"],
  }).addOption(flag("--check", words.check));
}

export type UpgradeFlags = FlagsOf<typeof declareUpgrade>;
