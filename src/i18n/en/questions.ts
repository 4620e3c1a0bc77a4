/** What questions themselves say and take. */
export const questions = {
  yes: ["y", "yes"],
  no: ["n", "no"],
  hint: "(y/N)",
  answered: { yes: "Yes", no: "No" },
  objection: "Type y for yes, or n or only Enter for no.",
  unseen: "[what you type is not shown]",
  keys: "The arrow keys move, Enter takes it.",
};
