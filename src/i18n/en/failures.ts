/** What to do about messages that failed, by the kind of failure. */
export const failures = {
  not_on_platform: "Ask for the current mobile number, or take it off the list.",
  not_delivered: "Send again to those who failed (--only-failed-of), at another time of the day.",
  refused: "A few are usual. If there are many, ask whoever runs the service before the next send.",
  params: "Fill as many variables as the template has (--params), and try it with --test-to.",
  other: "Ask whoever runs the service what it means.",
};
