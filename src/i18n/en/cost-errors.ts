import { type CostReason, defineReasons, knownOfCost } from "../shared/errors.ts";

/** The reasons that are about what a campaign costs. */
export const costErrors = defineReasons<CostReason>()(knownOfCost((name) => name))({
  cost_unknown: {
    what: {
      lacking: "The rate card has no price for {lacking}: {people|recipient|recipients}.",
      else: "The profile has no rate card.",
    },
    why: "--max-cost needs the price of every message. Nothing was sent.",
    next: {
      lacking:
        "Add a price, or * for all other countries, with `bpos profile rates FILE`; --dry-run shows the countries.",
      else: "Set one with `bpos profile rates FILE`, or leave out --max-cost.",
    },
  },
  cost_too_high: {
    what: "It would cost {cost} {currency}, and --max-cost is {maxCost}.",
    why: "By the rate card of the profile, the messages cost more than --max-cost allows. Nothing was sent.",
    next: "--dry-run shows the cost by country. To send it, pass a higher --max-cost.",
  },
  rates_unusable: {
    what: {
      fault: {
        no_currency: "{file}: the rate card names no currency.",
        no_prices: "{file}: the rate card has no price.",
        currency: '{file}: "{text}" is no currency.',
        country: '{file}: "{text}" is no country.',
        country_twice: "{file}: the rate card names {text} twice.",
        price: '{file}: "{text}" is no price of one message.',
      },
    },
    why: "A rate card is a currency and, by country, the price of one message, such as 0.0618; * is for all others. Nothing was sent.",
    next: "Correct it, then run `bpos profile rates FILE`; `bpos profile rates --help` shows an example.",
  },
});
