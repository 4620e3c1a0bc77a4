import { type FlagsOf, file, flag, nonEmpty, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareListen(campaign: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Receive the replies that the service posts, and show each with its send, until Ctrl-C"),
    examples: {
      "bpos campaign listen": t(
        "replies on this screen; rehearse with bpos mock --webhook-url http://127.0.0.1:4020/",
      ),
      "bpos campaign listen --exec ./reply.sh -q": t("to a command, retried until it exits with 0"),
      "bpos campaign listen -o ndjson": t("one JSON object per line, for a program"),
      "bpos campaign listen --public-url https://hooks.example.com/bpos/ --secret-file secret.txt": t(
        "behind a reverse proxy, for the service alone",
      ),
    },
  };

  return verb(campaign, "listen", words, { exits: exits.file, variables: variables.listen })
    .optionsGroup(t("Outputs:"))
    .addOption(
      flag(
        "--exec <command>",
        t(
          "run this command for each reply: JSON on stdin; BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE set",
        ),
        nonEmpty,
      ),
    )
    .addOption(
      flag("--forward-to <url>", t("post each reply there unchanged, until it is answered with a 2xx")),
    )
    .addOption(
      flag(
        "--opt-out-words <file>",
        t("more words that opt a person out as a whole message, one a line, beside BAJA, STOP and the like"),
        file,
      ),
    )
    .optionsGroup(t("Server:"))
    .addOption(
      flag("--port <n>", t("port to listen on, 0 for any free one (default 4020)"), whole(0, 65_535)),
    )
    .addOption(flag("--host <address>", t("address to listen on (default 127.0.0.1)"), nonEmpty))
    .addOption(
      flag(
        "--public-url <url>",
        t("public address of a tunnel or reverse proxy that leads here: its Host is accepted too"),
      ),
    )
    .addOption(flag("--trust-any-host", t("accept any Host, for a tunnel that sends its own host name")))
    .addOption(
      flag(
        "--secret-file <file>",
        t("accept only posts to a path that ends in /SECRET, kept in this file (or BPOS_WEBHOOK_SECRET)"),
        file,
      ),
    );
}

export type ListenFlags = FlagsOf<typeof declareListen>;
