/** The words of `bpos doctor --help`. */
export const doctorHelp = {
  description: "Check settings, key, network, clock, journal and disk, with a remedy for each fault",
  examples: {
    "bpos doctor": "what works, what does not, and the remedy",
    "bpos doctor -p centro": "the same for one profile",
    "bpos doctor --json": "for a script; the exit code is that of the first row that fails",
    "bpos doctor -q || mail -s 'bpos' me@example.com": "for cron: silent when all is well",
  },
};

/** The help of `bpos journal …`. */
export const journalHelp = {
  description: "Manage the journal: show what it holds, move it to PostgreSQL, remove personal data",
  examples: { "bpos journal status": "engine, size, contents and who holds a lock" },
  status: {
    description: "Show where the journal is, what it holds and which processes hold locks",
    examples: {
      "bpos journal status": "of the file, or of the database of BPOS_JOURNAL",
      "bpos journal status --jq '.locks[].pid'": "the processes that are at work",
    },
  },
  copy: {
    description: "Copy the SQLite journal of this machine to a PostgreSQL database",
    to: "address of an empty database: postgres://USER@HOST/DATABASE (default: BPOS_JOURNAL)",
    examples: {
      "bpos journal copy --to postgres://bpos@db.example.com/bpos":
        "stop cron jobs and watches first; if it is killed, it continues where it was",
    },
  },
  prune: {
    description: "Remove the personal data of sends and replies that were finished long ago",
    olderThan: "finished at least this long ago, 2d or more (default 90d)",
    dryRun: "show what would be removed, change nothing",
    yes: "do not ask",
    examples: {
      "bpos journal prune --older-than 90d": "asks first; nobody is messaged twice afterwards",
      "bpos journal prune --older-than 365d --dry-run": "only counts",
      "bpos journal prune --yes --quiet": "from cron",
    },
  },
  accept: {
    description: "Continue with a journal that was restored, or whose server failed over",
    yes: "do not ask",
    examples: {
      "bpos journal accept-restore": "says what the journal does not know, and asks",
    },
  },
};

/** The help of `bpos printer …`, and of the flags of each command that prints. */
export const printerHelp = {
  description: "Try out receipt printers, and see what they print",
  examples: {
    "bpos printer test tcp://192.168.1.50": "a test receipt",
    "bpos printer preview": "a receipt on the screen",
  },
  flags: {
    printer: "receipt printer: tcp://HOST[:PORT], file:DEVICE or lp:QUEUE (default: the profile's)",
    paper: "width of its paper in mm, 58 or 80 (default 80)",
    language: "escpos, or star for StarPRNT (default escpos)",
    drawer:
      "open the cash drawer that is connected to it: `cash` (also without a value) for an order to collect in cash, `always` for every order",
    beep: "sound the buzzer",
    layout: "what a receipt looks like: a JSON file, see `bpos schema layout` (default: the profile's)",
    stationMap: "CSV of codigo,station that decides before the categories of the catalog",
  },
  stations: {
    description: "Show which station prints each product; ends with 3 where one prints at all of them",
    examples: {
      "bpos printer stations": "the products that the journal knows",
      "bpos printer stations --jq '.everywhere[]'": "those that no station has",
    },
  },
  test: {
    description: "Print a test receipt: width of the paper, letters, sizes and cut",
    url: "tcp://HOST[:PORT], file:DEVICE or lp:QUEUE (default: the stations, or the printer, of the profile)",
    examples: {
      "bpos printer test tcp://192.168.1.50": "over the network, port 9100",
      "bpos printer test file:/dev/usb/lp0 --paper 58": "over USB, narrow paper",
      "bpos printer test lp:kitchen --drawer --beep": "a queue of CUPS, with drawer and buzzer",
      "bpos printer test 'file:\\\\localhost\\EPSON'": "a shared printer of Windows",
    },
  },
  preview: {
    description: "Draw a receipt as the printer prints it",
    id: "number of an order (default: a sample)",
    png: "also write it as a picture, dot by dot",
    examples: {
      "bpos printer preview --layout layout.json": "a sample, without printing",
      "bpos printer preview 1042 --paper 58 --png receipt.png": "an order, as a picture",
    },
  },
};

/** The help of `bpos init`. */
export const initHelp = {
  description: "Set up a branch: asks for its key and its addresses, and checks them",
  examples: {
    "bpos init": "asks, and saves a profile",
    "bpos profile add centro --base-url https://pos.example.com --api-key-file key.txt":
      "the same without questions",
  },
};

/** The help of `bpos profile …`. */
export const profileHelp = {
  /** The global flags of what a service behind mTLS is shown. */
  client: {
    cert: "client certificate for services that want one, a PEM file (client_cert of the profile)",
    key: "its private key, a PEM file, not encrypted (client_key of the profile)",
  },
  description: "Manage the keys and addresses of your branches, one profile per branch",
  examples: { "bpos profile list": "which branches are set up, and which one is used" },
  name: "name of the profile",
  add: {
    description: "Save a profile from flags; bpos init asks for the same",
    name: "name of the profile, for example centro",
    keyCommand: "command that prints the key, run when it is needed, instead of --api-key-file",
    country: "country of the branch, for phones without a plus, currency and numbers, for example AR",
    areaCode: "area code of the branch, for hints about phones without one, for example 11",
    currency: "currency of amounts on the screen (default: that of the country, else ARS)",
    storeId: "cross-check of pushes against the branch of the key",
    headerField: "name of the body field for the header URL of a campaign",
    sandbox: "a demo branch: every table says SANDBOX",
    live: "the real branch",
    noDrawer: "leave the drawer closed",
    noBeep: "no buzzer",
    default: "make it the default, as the first profile is",
    update: "change an existing profile; other settings stay",
    check: "do not check the key",
    examples: {
      "bpos profile add centro --base-url https://pos.example.com --campaigns-url https://msg.example.com --api-key-file key.txt":
        "the key comes from a file; - is standard input",
      "bpos profile add norte --base-url https://pos.example.com --key-command 'pass show bpos/norte'":
        "the key stays in the password manager",
      "bpos profile add centro --update --api-key-file new-key.txt": "another key",
    },
  },
  list: {
    description: "List the profiles, keys masked",
    examples: { "bpos profile list": "* marks the default" },
  },
  use: {
    description: "Make a profile the default",
    examples: { "bpos profile use norte": "for every command without -p" },
  },
  show: {
    description: "Show the settings in force, and where each comes from",
    name: "a profile (default: the one that is used)",
    examples: {
      "bpos profile show": "each setting and where it comes from",
      "bpos profile show norte": "as with -p norte",
    },
  },
  station: {
    description: "Manage the stations of a kitchen: printers, each with the categories that it prints",
    examples: {
      "bpos profile station add cocina --printer tcp://192.168.1.50 --category Pizzas":
        "then bpos orders watch --printer prints pizzas there",
    },
    name: "name of the station",
    printer: "its printer: tcp://HOST[:PORT], file:DEVICE or lp:QUEUE",
    category: "a category of the catalog that it prints; repeat it for others",
    everything: "it prints every line of every order, with what to collect",
    copies: "how many of each receipt, 1 to 9 (default 1)",
    add: {
      description: "Add a station to the profile",
      examples: {
        "bpos profile station add cocina --printer tcp://192.168.1.50 --category Pizzas --category Empanadas":
          "two categories",
        "bpos profile station add caja --printer lp:caja --everything --copies 2": "whole orders, twice",
      },
    },
    list: {
      description: "List the stations of the profile",
      examples: { "bpos profile station list": "with the categories of each" },
    },
    remove: {
      description: "Remove a station; what waits for it prints at the others",
      examples: { "bpos profile station remove barra": "once the watch is started again" },
    },
  },
  rename: {
    description: "Rename a profile; bpos still knows what was delivered and sent",
    newName: "new name of the profile",
    examples: { "bpos profile rename centro microcentro": "everything else stays" },
  },
  remove: {
    description: "Remove a profile and its key",
    yes: "do not ask",
    examples: { "bpos profile remove norte": "asks first" },
  },
};
