import { describe, expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { shell } from "../support/run.ts";

/** What scripts may rely on, by hand: whoever takes one of these away breaks them. */
const promised: Readonly<Record<string, string>> = {
  bpos: `-p --profile --mock -o --output --json --fields -q --quiet -v --verbose --no-color --no-input --timeout --retries
    --base-url --campaigns-url --ca-file --api-key-file --lang`,
  "bpos orders list": "--status --since --page --all --limit",
  "bpos orders show": "",
  "bpos orders watch": "--exec --out-dir --bell --interval --once --consumer --skip-existing --all-profiles",
  "bpos catalog check": "--fixed",
  "bpos catalog push": `--format --delimiter --encoding --decimal --map --on-duplicate --batch-size --in-flight --store-id
    --dry-run --strict --rejected --changed-only --deactivate-missing --max-deactivate --lock-wait --force`,
  "bpos catalog delete": "--file",
  "bpos catalog history": "",
  "bpos campaign send": `--template --template-id --language --ref --name --header-url --header-field --phone-column --params
    --country --fix-phones --exclude --errors --dry-run -y --yes --expect --test-to --track-all --allow-repeat --not-after
    --no-preflight`,
  "bpos campaign status": "--ref --watch --wait --only",
  "bpos campaign list": "",
  "bpos campaign resume": "",
  "bpos campaign listen": "--port --exec --forward-to",
  "bpos mock": "--port --host --scenario --seed --clock --speed --data --fault --webhook-url",
  "bpos mock order": "--count --branch --status --url",
  "bpos mock reply": "--url",
  "bpos mock advance": "--url",
  "bpos mock fault": "--list --clear --url",
  "bpos mock reset": "--url",
  "bpos mock log": "--follow --url",
  "bpos profile add": "",
  "bpos profile list": "",
  "bpos profile use": "",
  "bpos profile show": "",
  "bpos profile remove": "",
  "bpos init": "",
  "bpos doctor": "",
  "bpos demo": "",
  "bpos openapi": "",
  "bpos completion": "",
};

const commands = new Map(commandEntries().map(({ path, command }) => [path, command]));

const variables =
  `BPOS_API_KEY BPOS_BASE_URL BPOS_CAMPAIGNS_URL BPOS_PROFILE BPOS_OUTPUT BPOS_LANG BPOS_MOCK BPOS_HOME
  HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS NO_COLOR FORCE_COLOR`.split(/\s+/);

describe("what the command line promises", () => {
  it.each(Object.entries(promised))("%s %s", (path, flags) => {
    const command = commands.get(path);
    const understood = command?.options.flatMap(({ long, short }) => [long, short]);
    expect(understood).toEqual(expect.arrayContaining(flags.split(/\s+/).filter((each) => each !== "")));
  });

  it.each(["en", "es"])("explains every variable in bpos help environment, in %s", async (lang) => {
    const { stdout } = await shell()(["help", "environment", "--lang", lang]);
    expect(variables.filter((name) => !stdout.includes(name))).toEqual([]);
  });
});
