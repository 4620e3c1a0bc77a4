import { failureAdvice } from "../../errors/words/failures.ts";
import { textsIn } from "../../texts/texts.ts";
import { type CampaignReason, defineReasons, knownOfCampaigns } from "../shared/errors.ts";
import { dates } from "./general.ts";

/** The reasons that are about a campaign. */
export const campaignErrors = defineReasons<CampaignReason>()(
  knownOfCampaigns({
    file: (name) => name,
    time: dates.time,
    advice: (failure) => failureAdvice(failure, textsIn("en")),
  }),
)({
  ref_taken: {
    what: {
      by: {
        test: 'The reference "{ref}" belongs to a test.',
        send: 'The reference "{ref}" belongs to a real send.',
      },
      else: 'The reference "{ref}" belongs to a send of {template}.',
    },
    why: "Under one reference each recipient is messaged once, with one template in one language.",
    next: "Choose another reference with --ref; to settle that send, run it again as it was.",
  },
  repeat_within_day: {
    what: {
      hours: '{people|recipient|recipients} got this template {hours} h ago, under the reference "{ref}".',
      else: '{people|recipient|recipients} got this template less than an hour ago, under the reference "{ref}".',
    },
    why: "The same template to the same person within 24 hours is usually a mistake.",
    next: "To reach only the others of a corrected file, use --ref {ref:shell}; to message everybody again, use --allow-repeat.",
  },
  nobody_to_test: {
    what: "No recipient to test the message with.",
    why: "--test-to sends what the first valid row would get, and no row is valid.",
    next: "Correct a row (--dry-run says what is wrong), then run the command again.",
  },
  send_open: {
    what: 'No call of the send "{ref}" has an answer yet.',
    why: "A request was interrupted or not answered, so there is no campaign_id.",
    next: "{resume} settles it with the same keys: nobody is messaged twice.",
    more: "The send was interrupted before any call was answered, so there is no campaign_id. `bpos campaign resume` sends the same calls with the same keys: nobody is messaged twice.",
  },
  send_waits: {
    what: 'The send "{ref}" waits until {time}: nobody was messaged yet.',
    why: "--at, the hours of its recipients or a canary hold it until then.",
    next: "The bpos that waits for it sends it then; if none runs, {resume}.",
  },
  repeat_held: {
    what: '{people|recipient|recipients} of this send got the template meanwhile, under the reference "{ref}".',
    why: "Within 24 hours that is usually a mistake, so the calls with them were not sent.",
    next: "To send them anyway: `bpos campaign resume {sendRef:shell} --allow-repeat`. To reach the others: send the file again with --ref {sendRef:shell} and these recipients in --exclude.",
    more: "While this send was pending, some recipients got the same template under another reference; the calls with them were held. Resume with --allow-repeat to send them anyway, or send the file again with these recipients in --exclude.",
  },
  repeat_held_unknown: {
    what: '{people|recipient|recipients} of this send got the template meanwhile, under the reference "{ref}".',
    why: "The calls with them were not sent again. The outcome of some is unknown.",
    next: "To send them anyway: `bpos campaign resume {sendRef:shell} --allow-repeat`; a call that had arrived is not carried out again.",
    more: "Like repeat_held, but the outcome of some held calls is unknown. Resume with --allow-repeat: a call that had arrived is not carried out again.",
  },
  excluded_in_open: {
    what: '{people|excluded recipient is|excluded recipients are} in a call of "{ref}" whose outcome is unknown.',
    why: "It may have been sent and cannot be changed any more.",
    next: "{resume} settles it as it was and may message them; then send the file again.",
    more: "A recipient in --exclude is in a call whose outcome is unknown and which cannot be changed any more. Settle it with `bpos campaign resume`, which may message that recipient, then send the file again.",
  },
  opted_out_unknown: {
    what: '{people|recipient|recipients} opted out after a call of "{ref}" was sent whose outcome is unknown.',
    why: "The call can no longer be changed, and sending it again could message them. It stays unknown and is not sent again.",
    next: "`bpos campaign status --ref {ref:shell}` shows the calls that were answered. Ask whoever runs the service whether this one arrived. If it was the canary, `bpos campaign resume {ref:shell} --ignore-canary` sends the rest.",
    more: "Somebody in a call whose outcome is unknown opted out. Its bytes cannot be changed, and sending it again could message that person, so bpos never sends it again; its other recipients are in no other call of that reference either. A reply of anybody in it that names its campaign settles it at the next `bpos campaign resume`. If it was the canary, `bpos campaign resume REF --ignore-canary` sends the rest.",
  },
  template_unknown: {
    what: "The mock has no template {template}.",
    why: "It has {known}.",
    next: "--template takes one of them; `bpos mock templates` lists them with their languages.",
    more: "The mock has no template of that name or id, so the service would refuse the send. `bpos mock templates` lists those that it has.",
  },
  test_opted_out: {
    what: "{phone} opted out.",
    why: "Nobody who opted out is messaged, not even by a test.",
    next: "Use another phone, or take this one off the list: `bpos campaign optout remove {phone:shell}`.",
  },
  outside_hours: {
    what: "For {people|recipient|recipients} it is outside the hours of this profile ({hours}).",
    why: "They would wait until {time}; on a terminal bpos asks.",
    next: "To let them wait, pass --between {hours}; to message everybody now, --between 00:00-24:00.",
    more: "The profile has hours (`between`, `days`), and some recipients are outside them now. On a terminal bpos asks whether they shall wait. In a script, --between decides: the same hours let them wait, 00:00-24:00 messages everybody now.",
  },
  canary_failed: {
    what: "The canary stopped the send: {failed} of {people|recipient|recipients} failed (limit: {limit}).",
    why: {
      said: 'The service said most often[ (to {times})]: "{said}". Nobody else was messaged.',
      else: "The service gave no reason. Nobody else was messaged.",
    },
    next: "[{advice} ]See who failed: `bpos campaign status --ref {ref:shell} --only failed`. To send the rest as it is: `bpos campaign resume {ref:shell} --ignore-canary`. To correct the file first: send it again with --ref {ref:shell} and without --canary.",
    more: "More of the recipients who were messaged first (--canary) failed than --max-failed allows. Everybody else waits in the journal: `bpos campaign resume REF` looks again, and sends the rest only with --ignore-canary.",
  },
  too_late: {
    what: "It is past {time}: the rest was not sent.",
    why: "--not-after was set when the send was confirmed, and applies to `bpos campaign resume` too.",
    next: "`bpos campaign list` shows what was sent. To reach the others, send the file again with the same --ref and a later --not-after.",
  },
  too_late_unknown: {
    what: "It is past {time}: calls without an answer were not retried.",
    why: "A call was sent before that time and its outcome is unknown; settling it now could message people too late.",
    next: "Send the file again with the same --ref and a later --not-after to settle it, or ask whoever runs the service whether it arrived.",
  },
});
