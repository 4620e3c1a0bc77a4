/** The help of `bpos campaign optout …`. */
export const optoutHelp = {
  description: "Manage who opted out: no send of this journal messages them",
  country: "country of phones without a plus, for example AR (default: that of the profile)",
  examples: {
    "bpos campaign optout list": "who opted out, when and how",
    "bpos campaign optout review": "decide about replies that may be an opt-out",
  },
  add: {
    description: "Opt people out, in all spellings of their phones and for every branch of this journal",
    phone: "phone of the person; several may follow",
    examples: { "bpos campaign optout add +5491155550101 '011 15 5555-0102' --country AR": "two people" },
  },
  remove: {
    description: "Take a person off the list; the journal keeps the entry and the reason",
    phone: "phone of the person",
    reason: "why this person may be messaged again",
    examples: {
      "bpos campaign optout remove +5491155550101 --reason 'asked for the newsletter on 2026-11-20'":
        "without --reason it asks",
    },
  },
  list: {
    description: "List who opted out",
    examples: {
      "bpos campaign optout list": "with the words that they wrote",
      "bpos campaign optout list --jq '.opt_outs[].phone'": "the phones alone",
    },
  },
  import: {
    description: "Opt out everybody in a file: a CSV or a workbook with a phone column, or phones alone",
    file: "file with the phones, - for standard input",
    examples: { "bpos campaign optout import optouts.csv": "reports the rows without a usable phone" },
  },
  export: {
    description: "Write the list to a new .csv or .xlsx file",
    file: "file to write",
    examples: { "bpos campaign optout export optouts.csv": "for another journal, or for another program" },
  },
  review: {
    description: "Decide about replies that contain a word such as BAJA among others, one by one",
    examples: {
      "bpos campaign optout review": "asks: opted out, not, or later",
      "bpos campaign optout review --json": "lists them, changes nothing",
    },
  },
};
