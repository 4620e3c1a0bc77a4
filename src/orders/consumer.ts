import { matching } from "../cli/line/flags.ts";

/** The name under which progress is kept where `--consumer` gives none. */
export const defaultConsumer = "default";

/** The value of `--consumer`. */
export const consumerName = matching(
  /^[\w.-]{1,64}$/,
  { kind: "not_consumer" },
  { of: "journal", what: "consumer" },
);
