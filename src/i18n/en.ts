import { detailWords, network } from "./en/call-errors.ts";
import { campaign, find, follow, listen, send } from "./en/campaigns.ts";
import { check, push } from "./en/catalog.ts";
import { doctor } from "./en/doctor.ts";
import { errors } from "./en/errors.ts";
import { headerWarningWords, rows } from "./en/files.ts";
import {
  dates,
  demo,
  errorLabels,
  mock,
  notices,
  orders,
  progress,
  table,
  ticket,
  watch,
} from "./en/general.ts";
import { help } from "./en/help.ts";
import { helpPage } from "./en/help-page.ts";
import { journal } from "./en/journal.ts";
import { printer, receipt } from "./en/printer.ts";
import { profile, questions } from "./en/profiles.ts";
import { topics } from "./en/topics.ts";
import type { Language } from "./shapes.ts";

/** English. */
export const en = {
  language: "en" as Language,
  campaign,
  check,
  dates,
  demo,
  detail: detailWords,
  doctor,
  errorLabels,
  errors,
  find,
  follow,
  headerWarning: headerWarningWords,
  help,
  helpPage,
  journal,
  listen,
  mock,
  network,
  notices,
  orders,
  printer,
  profile,
  progress,
  push,
  questions,
  receipt,
  rows,
  send,
  table,
  ticket,
  topics,
  watch,
};

/** Every sentence that a person reads; each language has this shape. */
export type Texts = typeof en;
