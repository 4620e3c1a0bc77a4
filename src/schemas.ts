import { forms as listen } from "./campaigns/listen/schema.ts";
import * as optout from "./campaigns/optout/schema.ts";
import { forms as find } from "./campaigns/person-schema.ts";
import { resumeForms as resume, forms as send, listForms as sends } from "./campaigns/send-schema.ts";
import { forms as campaignStatus } from "./campaigns/status-schema.ts";
import { forms as check } from "./catalog/check/schema.ts";
import { forms as diff } from "./catalog/diff/schema.ts";
import { forms as history } from "./catalog/history/schema.ts";
import { forms as push } from "./catalog/sending/schema.ts";
import type { JsonForms } from "./contract/json-schema.ts";
import { layoutSchema } from "./contract/layout.ts";
import { orderSchema, ordersResponseSchema } from "./contract/order.ts";
import { forms as doctor } from "./maintenance/doctor/report.ts";
import * as journal from "./maintenance/journal/report.ts";
import * as printer from "./maintenance/printer/report.ts";
import * as general from "./maintenance/schema/general.ts";
import { forms as status } from "./maintenance/status/report.ts";
import { loadForms as loadMockForms } from "./mock/mock.ts";
import { forms as forget } from "./orders/forget/report.ts";
import { forms as preview } from "./orders/preview/report.ts";
import { forms as watch } from "./orders/watch/events.ts";
import * as profile from "./profiles/profile/report.ts";
import { forms as saved } from "./profiles/saved-report.ts";
import * as station from "./profiles/station/report.ts";

/** Returns the forms that each command prints as JSON, by command; only `bpos schema` loads them. */
export const loadSchemas = async (): Promise<Readonly<Record<string, JsonForms>>> => ({
  "orders list": { document: ordersResponseSchema, line: orderSchema },
  "orders show": { document: orderSchema },
  "orders watch": watch,
  "orders forget": forget,
  "catalog check": check,
  "catalog push": push,
  "catalog delete": push,
  "catalog diff": diff,
  "catalog undo": push,
  "catalog history": history,
  "campaign send": send,
  "campaign status": campaignStatus,
  "campaign find": find,
  "campaign resume": resume,
  "campaign list": sends,
  "campaign listen": listen,
  "campaign optout add": optout.add,
  "campaign optout remove": optout.remove,
  "campaign optout list": optout.list,
  "campaign optout import": optout.add,
  "campaign optout export": optout.exported,
  "campaign optout review": optout.review,
  status,
  init: saved,
  "profile add": saved,
  "profile list": profile.list,
  "profile use": profile.use,
  "profile show": profile.show,
  "profile station add": station.add,
  "profile station list": station.list,
  "profile station remove": station.remove,
  "profile rename": profile.rename,
  "profile remove": profile.remove,
  "printer test": printer.test,
  "printer preview": preview,
  "printer stations": printer.stations,
  doctor,
  "journal status": journal.status,
  "journal copy": journal.copy,
  "journal prune": journal.prune,
  "journal accept-restore": journal.accept,
  ...(await loadMockForms()),
  layout: { document: layoutSchema },
  help: general.help,
  openapi: general.openapi,
  error: general.error,
  log: general.log,
  version: general.version,
});
