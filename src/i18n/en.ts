import { campaign } from "./en/campaign.ts";
import { check } from "./en/check.ts";
import { demo } from "./en/demo.ts";
import { detailWords } from "./en/detail.ts";
import { doctor } from "./en/doctor.ts";
import { errors } from "./en/errors.ts";
import { follow } from "./en/follow.ts";
import { errorLabels, progress, table } from "./en/general.ts";
import { headerWarningWords } from "./en/header.ts";
import { help } from "./en/help.ts";
import { helpPage } from "./en/help-page.ts";
import { listen } from "./en/listen.ts";
import { mock } from "./en/mock.ts";
import { network } from "./en/network.ts";
import { notices } from "./en/notices.ts";
import { orders, ticket } from "./en/orders.ts";
import { profile } from "./en/profile.ts";
import { push } from "./en/push.ts";
import { questions } from "./en/questions.ts";
import { fileWords, noticeWords, rowProblemsWords, rowProblemWords } from "./en/rows.ts";
import { send } from "./en/send.ts";
import { watch } from "./en/watch.ts";
import type { Language } from "./language.ts";

/** What is wrong or remarkable about a file and its rows. */
const rows = { file: fileWords, notice: noticeWords, problem: rowProblemWords, problems: rowProblemsWords };

/** English. */
export const en = {
  language: "en" as Language,
  campaign,
  check,
  demo,
  detail: detailWords,
  doctor,
  errorLabels,
  errors,
  follow,
  headerWarning: headerWarningWords,
  help,
  helpPage,
  listen,
  mock,
  network,
  notices,
  orders,
  profile,
  progress,
  push,
  questions,
  rows,
  send,
  table,
  ticket,
  watch,
};
