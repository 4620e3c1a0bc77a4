import type { T } from "../../texts/texts.ts";
import type { MessageFailure } from "../problems.ts";

/** Says what to do about messages that failed, by the kind of failure. */
export const failureAdvice = (failure: MessageFailure, t: T): string =>
  ({
    not_on_platform: t("Ask for the current mobile number, or take it off the list."),
    not_delivered: t("Send again to those who failed (--only-failed-of), at another time of the day."),
    refused: t("A few are usual. If there are many, ask whoever runs the service before the next send."),
    params: t("Fill as many variables as the template has (--params), and try it with --test-to."),
    other: t("Ask whoever runs the service what it means."),
  })[failure];
