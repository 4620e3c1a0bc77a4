import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export const declareInit = (program: AnyCommand, { texts: { t } }: Runtime) =>
  verb(
    program,
    "init",
    {
      description: t("Set up a branch: asks for its key and addresses, and checks them"),
      examples: {
        "bpos init": t("asks, and saves a profile"),
        "bpos profile add centro --base-url https://pos.example.com --api-key-file key.txt": t(
          "the same without questions",
        ),
      },
    },
    { exits: exits.local, variables: ["BPOS_HOME"] },
  );
