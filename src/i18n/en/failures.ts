/** What to do about messages that failed, by the kind of failure. */
export const failures = {
  opted_out: "Take this person off the list. Do not try again.",
  not_on_platform: "Ask for the current mobile number at the next order, or take it off the list.",
  bad_phone: "Correct it where the list comes from.",
  limited: "Wait a day, then send again to those who failed. Send less often, and to fewer.",
  content: "Send a test to yourself and correct the template or the file before the next send.",
  refused: "A few are usual. If there were many, ask whoever runs the service before the next send.",
  not_delivered: "Send again to those who failed, at another time of the day.",
  other: "Ask whoever runs the service what it means.",
};
