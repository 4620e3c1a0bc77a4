import type { ExitName } from "../../errors.ts";

/** An exit code in two words. */
const exitWords: Readonly<Record<ExitName, string>> = {
  ok: "ok",
  bug: "a defect of bpos",
  usage: "usage",
  partial: "partly rejected",
  denied: "denied",
  refused: "refused",
  unavailable: "unavailable",
  unknown: "outcome unknown",
  pending: "pending",
  config: "config",
  held: "held",
  not_found: "not found",
  interrupted: "interrupted",
};

/** The frame of every help page, and the screen of `bpos` alone. */
export const helpPage = {
  exits: exitWords,
  headings: {
    usage: "Usage:",
    examples: "Examples:",
    arguments: "Arguments:",
    commands: "Commands:",
    flags: "Flags:",
    exitCodes: "Exit codes:",
    environment: "Environment:",
    topics: "Topics:",
    fields: "Names for --fields:",
  },
  /** What stands in a usage line for any flags, and for any command. */
  placeholders: { flags: "[flags]", command: "<command>" },
  /** What stands for a value, by its name in the declarations. */
  placeholder: (name: string) => name,
  /** A flag with what stands for its value. */
  spoken: (flags: string) => flags,
  groups: {
    which: "Selection:",
    when: "Schedule:",
    where: "Outputs:",
    screen: "Display:",
    printer: "Printer:",
    message: "Message:",
    people: "Recipients:",
    sent: "Content:",
    reading: "File format:",
    sending: "Requests:",
    output: "Output:",
    safety: "Checks and confirmation:",
    listening: "Server:",
    health: "Health:",
    world: "World:",
    settings: "Settings:",
    display: "Output:",
    connection: "Connection:",
    work: "Work:",
    setUp: "Setup:",
    rehearse: "Rehearsal:",
    more: "More:",
    help: "Help:",
  },
  commandHelp: (command: string) => `${command} --help shows the flags and examples of a command.`,
  globalHelp: "bpos help flags: what every command takes, such as -p, --mock, --json and -q.",
  start: {
    title: "bpos: orders, catalog and campaigns of a point of sale.",
    steps: {
      "bpos demo": "a guided tour; nothing real happens",
      "bpos init": "set up your branch: its key and its addresses",
      "bpos orders list": "the pending orders",
    },
    more: {
      "bpos --help": "every command",
      "bpos help catalog push": "one command, with examples",
      "bpos --mock orders list": "rehearse any command without a key",
    },
    moreTitle: "Then:",
    firstTitle: "Start here:",
  },
  help: {
    description: "Show the help of a command, or explain a topic",
    words: "a command such as catalog push, or a topic",
    examples: {
      "bpos help catalog push": "the same as bpos catalog push --help",
      "bpos help exit-codes": "what each exit code means to a script",
      "bpos help errors key_missing": "what the reason in a JSON error means",
    },
    topics: {
      flags: "the flags that every command takes",
      "exit-codes": "what each exit code means, and what a script does about it",
      environment: "every variable that bpos reads, and its precedence",
      files: "which files bpos reads and writes, and where they are",
      json: "the shapes of the JSON that commands print",
      errors: "every reason of an error with its exit code; with a REASON, what to do about it",
    },
  },
  completion: {
    description: "Print a script that makes a shell complete commands, flags and values",
    shell: "bash, zsh, fish or powershell",
    examples: {
      'eval "$(bpos completion bash)"': "in ~/.bashrc",
      "source <(bpos completion zsh)": "in ~/.zshrc, after compinit",
      "bpos completion fish > ~/.config/fish/completions/bpos.fish": "once",
      "bpos completion powershell | Out-String | Invoke-Expression": "in $PROFILE",
    },
  },
};
