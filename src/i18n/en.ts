import { type Language, textsIn } from "../texts/texts.ts";
import { campaign, find, follow, listen, send } from "./en/campaigns.ts";
import { notices } from "./en/general.ts";
import { demo, mock } from "./en/mock.ts";
import { byTopic } from "./shapes.ts";

/** English. */
export const en = byTopic({
  language: (): Language => "en",
  t: () => textsIn("en"),
  campaign: () => campaign,
  demo: () => demo,
  find: () => find,
  follow: () => follow,
  listen: () => listen,
  mock: () => mock,
  notices: () => notices,
  send: () => send,
});

/** Every sentence that a person reads; each language has this shape. */
export type Texts = typeof en;
