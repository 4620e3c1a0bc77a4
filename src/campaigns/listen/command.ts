import { type FlagsOf, file, flag, nonEmpty, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { T } from "../../texts/texts.ts";

function declareVerb(campaign: AnyCommand, t: T) {
  const words = {
    description: t("Receive replies from the service and show each one with its send, until Ctrl-C"),
    examples: {
      "bpos campaign listen": t(
        "show replies on this screen; to rehearse, run bpos mock --webhook-url http://127.0.0.1:4020/",
      ),
      "bpos campaign listen --exec ./reply.sh -q": t(
        "run a command for each reply, with retries until it exits with 0",
      ),
      "bpos campaign listen -o ndjson": t("one JSON object per line, for a program"),
      "bpos campaign listen --public-url https://hooks.example.com/bpos/ --secret-file secret.txt": t(
        "behind a reverse proxy, with a secret that only the service knows",
      ),
    },
  };

  return verb(campaign, "listen", words, { exits: exits.file, variables: variables.listen });
}

export function declareListen(campaign: AnyCommand, { texts: { t } }: Runtime) {
  return declareVerb(campaign, t)
    .optionsGroup(t("Outputs:"))
    .addOption(
      flag(
        "--exec <command>",
        t(
          "run this command for each reply, with JSON on stdin and BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE set",
        ),
        nonEmpty,
      ),
    )
    .addOption(
      flag(
        "--forward-to <url>",
        t("forward each reply unchanged to this URL, with retries until it answers 2xx"),
      ),
    )
    .addOption(
      flag(
        "--opt-out-words <file>",
        t(
          "file with more opt-out words, one per line; a word counts if it is the whole message, like BAJA or STOP",
        ),
        file,
      ),
    )
    .optionsGroup(t("Server:"))
    .addOption(
      flag("--port <n>", t("port to listen on, 0 for any free port (default 4020)"), whole(0, 65_535)),
    )
    .addOption(flag("--host <address>", t("address to listen on (default 127.0.0.1)"), nonEmpty))
    .addOption(
      flag(
        "--public-url <url>",
        t("public URL of the tunnel or reverse proxy in front of bpos; its Host is accepted too"),
      ),
    )
    .addOption(
      flag("--trust-any-host", t("accept any Host header, for a tunnel that sends its own host name")),
    )
    .addOption(
      flag(
        "--secret-file <file>",
        t("accept only POSTs to a path that ends in the secret in this file (or in BPOS_WEBHOOK_SECRET)"),
        file,
      ),
    );
}

export type ListenFlags = FlagsOf<typeof declareListen>;
