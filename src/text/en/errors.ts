import type { CallFacts } from "../../errors.ts";
import type { ErrorTexts } from "../error-words.ts";
import { shellWord } from "../shell-word.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";
import { fileWords } from "./rows.ts";

/** A sentence with its full stop, unless what it quotes brings one. */
const ended = (sentence: string): string => (/[.!?…]["')]?$/.test(sentence) ? sentence : `${sentence}.`);

/** "after 5 attempts", or nothing when there was only one. */
const after = ({ attempts }: CallFacts): string => (attempts > 1 ? ` after ${attempts} attempts` : "");

/** What the service answered, as far as it is known: status, code and message, or the beginning of the answer. */
function answer({ status, serviceCode, serviceMessage, quote }: CallFacts): string {
  const head = [status, serviceCode].filter((part) => part !== undefined && part !== "").join(" ");
  const said = serviceMessage ?? quote;
  return [head, said === undefined || said === "" ? "" : `"${said}"`]
    .filter((part) => part !== "")
    .join(", ");
}

/** Why a call came to nothing: the answer, or what the network said. */
function because(facts: CallFacts): string {
  const parts = [answer(facts), facts.detail ?? ""].filter((part) => part !== "");
  const call = `${facts.endpoint} at ${facts.origin}`;
  const asked =
    facts.askedFor === "time" ? `The service is asked for its time before anything is sent (${call})` : call;
  const why = ended(`${asked}${after(facts)}: ${parts.join("; ") || "no answer"}`);
  return facts.nothingSent === true ? `${why} Nothing was sent.` : why;
}

const times = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** Whether a catalog or a campaign was being sent; what settles an unknown outcome differs. */
const isCampaign = ({ endpoint }: CallFacts): boolean => endpoint.includes("/campaigns");

const heldWords = ({ people, ref }: { people: number; ref: string }): string =>
  `${times(people, "person", "people")} of this send got the template meanwhile under the reference "${ref}".`;

const resumed = (ref: string | undefined): string =>
  ref === undefined ? "`bpos campaign resume`" : `\`bpos campaign resume ${shellWord(ref)}\``;

/** A refusal of a call that had been tried before. */
const isRefusal = ({ status = 0 }: CallFacts): boolean =>
  status >= 400 && status < 500 && !putOff.has(status);

const runAgain = {
  push: "Run the same command again with the same file or codes: it takes up where it stopped, with the same event ids, and nothing is applied twice.",
  send: (ref: string | undefined) =>
    `${resumed(ref)} settles it: the same keys are used, so nobody is messaged twice.`,
};

/** Too slow, too early, too many: answers that say nothing about what was sent. */
const putOff: ReadonlySet<number> = new Set([408, 425, 429]);

/** The words of every reason for which a command cannot go on. */
export const errors: ErrorTexts = {
  bug: ({ detail }) => ({
    what: "Something went wrong inside bpos itself.",
    why: ended(detail),
    next: "This is a defect of bpos, not of your input. Run the command again with --verbose and report its output and `bpos --version` to the maintainers of bpos.",
  }),
  usage_flag: ({ detail, hint }) => ({
    what: "The command cannot be run as it was typed.",
    why: ended(detail),
    next: hint ?? "See `bpos --help`, or --help behind the command, for its flags and examples.",
  }),
  not_a_terminal: ({ flag }) => ({
    what: "This command has a question, and there is nobody to ask.",
    why: "Questions are asked only on a terminal, outside CI and without --no-input. Nothing was sent.",
    next: `Answer beforehand with ${flag}.`,
  }),
  address_missing: ({ which, profile }) => {
    const flag = which === "base_url" ? "--base-url" : "--campaigns-url";
    const variable = which === "base_url" ? "BPOS_BASE_URL" : "BPOS_CAMPAIGNS_URL";
    return {
      what: `The address of the service (${which}) is not known.`,
      why: `Neither ${flag}, ${variable} nor ${profile === undefined ? "a profile" : `the profile "${profile}"`} gives it. Nothing was sent.`,
      next: `Give ${flag} URL, set ${variable}, ${profile === undefined ? "name a profile with -p NAME" : `write it into that profile as ${which}`}, or rehearse without any set-up with --mock.`,
    };
  },
  key_missing: ({ profile }) => ({
    what: "There is no API key.",
    why: `Every call needs the key of a branch, and neither the environment nor ${profile === undefined ? "a profile" : `the profile "${profile}"`} gives one. Nothing was sent.`,
    next: `Set BPOS_API_KEY, ${profile === undefined ? "name a profile that holds the key with -p NAME" : "write the key into that profile as api_key"}, or rehearse without a key with --mock.`,
  }),
  key_unreadable: ({ source, detail }) => ({
    what: `The API key could not be read from ${source}.`,
    why: ended(detail),
    next: "Put that right, set BPOS_API_KEY instead, or rehearse without a key with --mock.",
  }),
  profile_missing: ({ name, known, file }) => ({
    what: `There is no profile "${name}".`,
    why: known.length === 0 ? `${file} holds no profile.` : `${file} holds: ${known.join(", ")}.`,
    next: `${known.length === 0 ? "Add it there" : "Name one of those with -p NAME or as the file's default"}, or do without one: set BPOS_API_KEY, or rehearse with --mock.`,
  }),
  config_unreadable: ({ file, detail }) => ({
    what: `The settings in ${file} cannot be used.`,
    why: ended(detail),
    next: "Correct the file, or move it away to do without profiles: BPOS_API_KEY and the flags still work.",
  }),
  journal_unreadable: ({ file, detail }) => ({
    what: `The journal ${file} cannot be used.`,
    why: `${ended(detail)} Without it bpos cannot promise that nothing is sent twice, so it sends nothing.`,
    next: "Check that the file can be read and written, and that the disk has room. BPOS_HOME names another folder to use.",
  }),
  journal_moved: ({ file, movedTo, detail }) => ({
    what: `${file} is damaged, or not a journal of bpos: it was moved aside.`,
    why: `${ended(detail)} It is kept as ${movedTo}. Nothing was sent.`,
    next: `If you have a backup of the journal, put it back as ${file} first. Otherwise the next command begins with an empty journal, which does not know which orders were handed on and who was messaged: check that before you send anything again.`,
  }),
  world_unusable: ({ file, detail }) => ({
    what: `The mock cannot keep its world in ${file}.`,
    why: ended(detail),
    next: "Name another file, or move this one away to have a new world begin there.",
  }),
  locked: ({ pid, work, consumer }) => {
    const who = pid === null ? "It" : `Process ${pid}`;
    const whose = consumer === undefined ? "" : ` for the consumer "${consumer}"`;
    if (work === "watch") {
      return {
        what: `Another bpos watches this branch${whose}.`,
        why: `${who} is still running, and of two watches with one memory neither would get every order.`,
        next: "Stop it, or give this one a memory of its own with --consumer NAME; each consumer gets every order.",
      };
    }
    if (work === "listen") {
      return {
        what: "Another bpos listens for replies.",
        why: `${who} is still running, and of two with one journal neither would hand on every reply.`,
        next: "Stop it, or let that one receive them all: any path will do, and any branch's campaigns.",
      };
    }
    return {
      what: `Another bpos ${work === "push" ? "pushes to this branch's catalog" : "sends a campaign for this branch"}.`,
      why: `${who} has not finished. Nothing was sent.`,
      next:
        work === "push"
          ? "Let this one wait for it with --lock-wait 5m, or run it again when that one has ended."
          : "Wait until it ends and run the command again; who got the message does not get it again.",
    };
  },
  clock_ahead: ({ aheadMs }) => ({
    what: `This machine's clock is ${Math.round(aheadMs / 60_000)} minutes ahead of the service's.`,
    why: "A product that is stamped with a time to come beats every later price until then. Nothing was sent.",
    next: "Set this machine's clock. If the service's is the wrong one, push with --force.",
  }),
  rows_unreadable: ({ rows }) => ({
    what: `${times(rows, "row has", "rows have")} no code that can be read.`,
    why: "Nobody can tell whether their products are missing, so none is deactivated. Nothing was sent.",
    next: "Correct those rows (`bpos catalog check` names them), or push without --deactivate-missing.",
  }),
  too_many_missing: ({ missing, known, limit }) => ({
    what: `${missing} of the ${known} products that the service has are not in the file.`,
    why: `At most ${limit} may be deactivated at once: a file that was cut off looks just like this. Nothing was sent.`,
    next: "Check the file. If it is right, allow more with --max-deactivate N or a share such as 50%.",
  }),
  ref_taken: ({ ref, template }) => ({
    what: `The reference "${ref}" is taken.`,
    why: `A send of ${template} went out under it, or may have. Nothing was sent.`,
    next: "Choose another reference with --ref for another template or language; to settle that send, run it again as it was.",
  }),
  repeat_within_day: ({ people, ref, hoursAgo }) => ({
    what: `${times(people, "person", "people")} got this template already, ${hoursAgo < 1 ? "less than an hour" : `${hoursAgo} h`} ago, under the reference "${ref}".`,
    why: "The same template to the same person within 24 hours is mostly a mistake. Nothing was sent.",
    next: `To reach only the others of a corrected file, use --ref ${shellWord(ref)}; to send it again to everybody, use --allow-repeat.`,
  }),
  nobody_to_test: () => ({
    what: "There is no recipient whose message could be tried out.",
    why: "--test-to sends what the first usable row of the file would get. Nothing was sent.",
    next: "Correct a row of the file, then run the command again.",
  }),
  send_open: ({ ref }) => ({
    what: `No call of the send "${ref}" has a clear answer yet.`,
    why: "A request was interrupted or not answered, so there is no campaign_id to ask for.",
    next: `\`bpos campaign resume ${shellWord(ref)}\` settles it with the same keys: nobody is messaged twice.`,
  }),
  too_late: ({ notAfter }) => ({
    what: `It is later than ${notAfter}: what had not gone out by then was not sent.`,
    why: "--not-after said so when the send was confirmed, and it holds for `bpos campaign resume` too.",
    next: "`bpos campaign list` shows what went out. To reach the others after all, send the file again with the same --ref and a later --not-after.",
  }),
  too_late_unknown: ({ notAfter }) => ({
    what: `It is later than ${notAfter}: what has no clear answer was not tried again.`,
    why: "A call left before that, and nobody knows whether it arrived; to settle it now could message people too late.",
    next: "Send the file again with the same --ref and a later --not-after to settle it, or ask the people who run the service whether it arrived.",
  }),
  repeat_held: (facts) => ({
    what: heldWords(facts),
    why: "Within 24 hours that is mostly a mistake, so the calls with these people were not sent.",
    next: `To send them all the same: \`bpos campaign resume ${shellWord(facts.sendRef)} --allow-repeat\`. To reach the others: send the file again with --ref ${shellWord(facts.sendRef)} and these people in --exclude.`,
  }),
  repeat_held_unknown: (facts) => ({
    what: heldWords(facts),
    why: "The calls with these people were not sent again. Some of them had left before, and nobody knows whether they arrived.",
    next: `To send them all the same: \`bpos campaign resume ${shellWord(facts.sendRef)} --allow-repeat\`; a call that had arrived is not carried out again.`,
  }),
  excluded_in_open: ({ ref, people }) => ({
    what: `${times(people, "excluded person is", "excluded people are")} in a call of "${ref}" that has no clear answer.`,
    why: "It may have left, and what it says cannot be changed any more. Nothing was sent now.",
    next: `\`bpos campaign resume ${shellWord(ref)}\` settles it as it was, and may message them; then send the file again.`,
  }),
  answer_not_kept: ({ detail }) => ({
    what: "The service answered a call, and the journal could not be written.",
    why: ended(detail),
    next: "Make room on the disk, then run `bpos campaign resume`: the call goes out with the same key, and nobody is messaged twice.",
  }),
  header_unusable: ({ url, redirectedTo, problem }) => {
    const { why, next } = headerProblemWords(problem);
    return {
      what: `The header file ${url} cannot be used.`,
      why: `${redirectedTo === undefined ? "" : `It redirects to ${redirectedTo}. `}${why} Nothing was sent.`,
      next,
    };
  },
  header_unreachable: ({ url, redirectedTo, problem }) => {
    const { why, next } = headerUnreachableWords(problem);
    return {
      what: `The header file ${url} could not be fetched to check it.`,
      why: `${redirectedTo === undefined ? "" : `It redirects to ${redirectedTo}. `}${ended(why)} Nothing was sent.`,
      next: `${next} The file may be right all the same: --no-preflight sends without fetching it.`,
    };
  },
  output_unwritable: ({ file, detail }) => ({
    what: `${file} could not be written.`,
    why: ended(detail),
    next: "Check that its folder exists, that you may write there, and that the disk has room.",
  }),
  order_file_taken: ({ file }) => ({
    what: `${file} exists already and holds something else.`,
    why: "It is not the order that belongs there, and bpos never writes over a file of orders.",
    next: "Move that file away, or name another folder with --out-dir: the order is written as soon as its file is free.",
  }),
  exec_failed: ({ command, orderId, exitCode, killedBy, timedOutMs, detail }) => {
    const end =
      timedOutMs !== null
        ? `was still running after ${timedOutMs / 1000} s and was stopped`
        : exitCode !== null
          ? `ended with exit code ${exitCode}`
          : killedBy !== null
            ? `was ended by ${killedBy}`
            : "could not be started";
    return {
      what: `The command of --exec did not take order ${orderId}.`,
      why: ended(`\`${command}\` ${end}${detail === "" ? "" : `: ${detail}`}`),
      next:
        timedOutMs === null
          ? "Correct the command or what it needs: the order is given to it again until it ends with 0."
          : "Make the command quicker, or allow more time with --exec-timeout: the order is given to it again until it ends with 0.",
    };
  },
  port_busy: ({ host, port, pid }) => ({
    what: `Port ${port} on ${host} is taken.`,
    why:
      pid === null
        ? "Another program is listening there; perhaps another `bpos mock` or `bpos campaign listen` is still running."
        : `Another \`bpos mock\` is listening there, process ${pid}.`,
    next: "Stop that program, choose another port with --port N, or take any free one with --port 0.",
  }),
  port_denied: ({ host, port }) => ({
    what: `This user may not listen on port ${port} of ${host}.`,
    why: "Ports below 1024 are mostly kept for the administrator.",
    next: "Choose a port from 1024 on with --port N, and have a reverse proxy or a tunnel lead there.",
  }),
  input_unreadable: ({ file, detail }) => ({
    what: `${file} could not be read.`,
    why: `${ended(detail)} Nothing was sent.`,
    next: "Check the name and that you may read the file; - reads standard input.",
  }),
  input_unusable: ({ file, line, problem }) => {
    const { what, next } = fileWords(problem);
    return {
      what: `${file} cannot be used${line === undefined ? "" : ` (line ${line})`}.`,
      why: `${what} Nothing was sent.`,
      next,
    };
  },
  rows_rejected_strict: ({ file, rejected }) => ({
    what: `Nothing was sent: ${file} has ${times(rejected, "row that cannot be used", "rows that cannot be used")}.`,
    why: "--strict sends a file only if every row of it is good.",
    next: "Correct the rows that are listed and run the command again, or leave out --strict to send the others.",
  }),
  order_not_found: ({ orderId }) => ({
    what: `There is no order ${orderId}.`,
    why: "It is in none of the eight states among the orders of this branch.",
    next: "Check the number with `bpos orders list --status all --all`, and the branch with -p NAME.",
  }),
  send_not_found: ({ ref }) => ({
    what: `There is no send "${ref}".`,
    why: "No campaign with this reference was sent from this machine with this key.",
    next: "Check the reference and the branch (-p NAME), or ask with a campaign_id: `bpos campaign status ID`.",
  }),
  expected_other_count: ({ expected, actual }) => ({
    what: `${times(actual, "person", "people")} would be messaged, not ${expected}.`,
    why: "More or fewer people than --expect names, or than were agreed to, are never messaged. Nothing was sent.",
    next: "Look at the plan with --dry-run; if it is right, run the command again, with the right number behind --expect.",
  }),
  declined: () => ({
    what: "Nothing was sent.",
    why: "The question was answered with no.",
    next: "Run the command again when it is right; --yes answers beforehand.",
  }),
  access_denied: (facts) => ({
    what:
      facts.storeId === undefined
        ? "The service does not accept this key."
        : `The service does not accept this key, or not with the store_id "${facts.storeId}".`,
    why: because(facts),
    next:
      facts.storeId !== undefined
        ? `The store_id "${facts.storeId}" was sent with the products and must be that of the key's branch: correct it or leave it out (--store-id, or store_id in the profile). If it is right, check the key: BPOS_API_KEY, or the profile named with -p.`
        : "The key is invalid, inactive or of another branch (a store_id must match it). Check BPOS_API_KEY or the profile named with -p, or rehearse with --mock.",
  }),
  input_refused: (facts) => ({
    what: "The service refused the request.",
    why: because(facts),
    next:
      facts.status === 404
        ? "There is nothing at that address: check --base-url and --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) and their paths."
        : facts.endpoint.startsWith("GET /campaigns")
          ? "Check the campaign_id, and that the campaign was sent with this key: another branch's campaigns are not shown."
          : isCampaign(facts)
            ? "This call was not sent. Check the template's exact name, that it is approved, its --language, that it has as many variables as --params names (none: --params '') and, if it has an image, video or document, --header-url; then run the command again."
            : facts.status === 413
              ? "Even one product alone is too large for it: shorten its longest text in the file. If it is not long, ask whoever runs the service, or a proxy before it, for the limit."
              : "Correct what the service names and run the command again.",
  }),
  unavailable: (facts) => ({
    what: "The service could not be reached or could not answer.",
    why: because(facts),
    next:
      (facts.status ?? 500) < 400
        ? "The address is not the service's own: correct --base-url or --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL)."
        : "Rerunning is safe: nothing is applied twice. Try again later; if it stays so, check the network, the proxy and the address.",
  }),
  unreadable_answer: (facts) => ({
    what: "The service's answer cannot be read.",
    why: because(facts),
    next: "Check that the address is the service's and that no proxy or sign-in page stands between; rerunning is safe.",
  }),
  outcome_unknown: (facts) => ({
    what: "It is not known whether the last request was carried out.",
    why:
      isCampaign(facts) && isRefusal(facts)
        ? `${because(facts)} An earlier try may have arrived, so this refusal proves nothing.`
        : because(facts),
    next: isCampaign(facts)
      ? isRefusal(facts)
        ? `Correct what is refused (${facts.status === 403 ? "at the service, the key" : "at the service, the template or the header file"}), then ${resumed(facts.ref)}; or ask the people who run the service whether it arrived.`
        : runAgain.send(facts.ref)
      : facts.status === 403
        ? `The service refuses the key${facts.storeId === undefined ? "" : ` or the store_id "${facts.storeId}"`} now, but an earlier try of this batch may have been applied. Put that right, then run the same command again: it takes up where it stopped.`
        : facts.status !== undefined && putOff.has(facts.status)
          ? `Try again later: ${runAgain.push.charAt(0).toLowerCase()}${runAgain.push.slice(1)}`
          : isRefusal(facts)
            ? "The service refuses this batch now, but an earlier try of it may have been applied. Correct the file and push that: a changed file begins a new push, whose times are later."
            : runAgain.push,
  }),
  interrupted: ({ during, ref }) =>
    ({
      reading: {
        what: "Stopped by Ctrl-C or SIGTERM while the file was read.",
        why: "Nothing was sent.",
        next: "Run the command again.",
      },
      waiting: {
        what: "Stopped by Ctrl-C or SIGTERM while it waited for another bpos.",
        why: "Nothing was sent.",
        next: "Run the command again.",
      },
      work: {
        what: "Stopped before the end, by Ctrl-C or SIGTERM.",
        why: "What was sent until then is written down; a request that was under way may or may not have arrived.",
        next:
          ref === undefined
            ? "Run the same command again to go on: nothing is applied or sent twice."
            : `${resumed(ref)} goes on with it: nobody is messaged twice.`,
      },
      question: {
        what: "Stopped by Ctrl-C or SIGTERM.",
        why: "Nothing was sent.",
        next: "Run the command again when it is right.",
      },
      follow: {
        what: "Stopped by Ctrl-C or SIGTERM.",
        why: "Not everything was final yet.",
        next: "Run it again to see how it stands then: looking changes nothing.",
      },
      watch: {
        what: "Stopped by Ctrl-C or SIGTERM.",
        why: "This command runs until it is stopped.",
        next: "Run it again to go on: an order that came meanwhile is handed on then, and none twice.",
      },
      listen: {
        what: "Stopped by Ctrl-C or SIGTERM.",
        why: "This command runs until it is stopped. Replies that it has answered are written down.",
        next: "Run it again to go on: what was not handed on yet is handed on then.",
      },
    })[during],
};
