import type { Texts } from "./en.ts";
import { detailWords, network } from "./es/call-errors.ts";
import { campaign, find, follow, listen, send } from "./es/campaigns.ts";
import { check, push } from "./es/catalog.ts";
import { doctor } from "./es/doctor.ts";
import { errors } from "./es/errors.ts";
import { headerWarningWords, rows } from "./es/files.ts";
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
} from "./es/general.ts";
import { help } from "./es/help.ts";
import { helpPage } from "./es/help-page.ts";
import { journal } from "./es/journal.ts";
import { printer, receipt } from "./es/printer.ts";
import { profile, questions } from "./es/profiles.ts";
import { topics } from "./es/topics.ts";

/** Spanish, as it is spoken in Buenos Aires. */
export const es: Texts = {
  language: "es",
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
