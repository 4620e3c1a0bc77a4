/** The narration of `bpos demo`. */
export const demo = {
  title: "A tour of bpos, against the mock that it carries inside. Nothing here is real.",
  push: "1. The shop's price list, as its spreadsheet wrote it. Bad rows are named, the rest is sent.",
  list: "2. The orders that wait. Their lines carry the shop's own codes.",
  watch: "3. A customer orders. The watch hands the order on, once.",
  send: "4. A template to the customers of a CSV file. Whoever cannot be reached is listed with the reason.",
  again: "5. The same file again: nobody is messaged twice.",
  status: "6. Five minutes later: what became of it.",
  end: "That was all of it over HTTP. Next: `bpos mock` keeps a mock running, `bpos --help` shows every command.",
};
