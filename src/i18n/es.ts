import { campaign } from "./es/campaign.ts";
import { check } from "./es/check.ts";
import { demo } from "./es/demo.ts";
import { detailWords } from "./es/detail.ts";
import { doctor } from "./es/doctor.ts";
import { errors } from "./es/errors.ts";
import { follow } from "./es/follow.ts";
import { errorLabels, progress, table } from "./es/general.ts";
import { headerWarningWords } from "./es/header.ts";
import { help } from "./es/help.ts";
import { helpPage } from "./es/help-page.ts";
import { listen } from "./es/listen.ts";
import { mock } from "./es/mock.ts";
import { network } from "./es/network.ts";
import { notices } from "./es/notices.ts";
import { orders, ticket } from "./es/orders.ts";
import { profile } from "./es/profile.ts";
import { push } from "./es/push.ts";
import { questions } from "./es/questions.ts";
import { fileWords, noticeWords, rowProblemsWords, rowProblemWords } from "./es/rows.ts";
import { send } from "./es/send.ts";
import { watch } from "./es/watch.ts";
import type { Texts } from "./texts.ts";

/** What is wrong or remarkable about a file and its rows. */
const rows = { file: fileWords, notice: noticeWords, problem: rowProblemWords, problems: rowProblemsWords };

/** Spanish, as it is spoken in Buenos Aires. */
export const es: Texts = {
  language: "es",
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
