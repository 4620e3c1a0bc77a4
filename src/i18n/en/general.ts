/** What tables of every kind say. */
export const table = {
  leftOut: (columns: string) =>
    `Not shown for lack of room: ${columns}. A wider window or --json shows them.`,
};

/** What stands before the three lines of an error. */
export const errorLabels = {
  what: "Error:",
  stopped: "Note:",
  why: "Why:",
  next: "Next:",
  more: "More:",
};

/** The progress line. */
export const progress = {
  left: (time: string) => `${time} left`,
  perSecond: (count: string) => `${count}/s`,
};
