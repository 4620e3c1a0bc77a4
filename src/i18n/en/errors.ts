import type { Detail } from "../../errors/detail.ts";
import { ended, isKeyAsFile, resumed, shellWord, times } from "../phrases.ts";
import type { ErrorTexts } from "../shapes.ts";
import { callErrors, detailSentence, networkErrors, worldWords } from "./call-errors.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";
import { keyCommandWords } from "./profiles.ts";
import { fileWords } from "./rows.ts";
import { usageWords } from "./usage.ts";

const heldWords = ({ people, ref }: { people: number; ref: string }): string =>
  `${times(people, "person", "people")} of this send got the template meanwhile under the reference "${ref}".`;

const journalNext = (detail: Detail): string =>
  typeof detail !== "string" && detail.kind === "journal_newer"
    ? "Update bpos on this machine, or name another folder with BPOS_HOME."
    : "Check that the file can be read and written, and that the disk has room. BPOS_HOME names another folder to use.";

/** The words of every reason for which a command cannot go on. */
export const errors: ErrorTexts = {
  ...callErrors,
  ...networkErrors,
  bug: ({ detail }) => ({
    what: `Unexpected ${ended(detail)}`,
    why: "This is a defect of bpos, not of your input.",
    next: "Run the command again with --verbose and report its output and `bpos --version` to the maintainers of bpos.",
  }),
  usage_flag: ({ problem }) => usageWords(problem),
  not_a_terminal: ({ flag }) => ({
    what: `${flag.startsWith("-") ? `${flag} is missing` : "The answers are missing"}, and there is no terminal to ask on.`,
    why: "Questions are asked only on a terminal, outside CI and without --no-input. Nothing was sent.",
    next: `Answer beforehand with ${flag}.`,
  }),
  address_missing: ({ which, profile }) => {
    const flag = which === "base_url" ? "--base-url" : "--campaigns-url";
    const variable = which === "base_url" ? "BPOS_BASE_URL" : "BPOS_CAMPAIGNS_URL";
    return {
      what: `The address of the service (${which}) is not known.`,
      why: `Neither ${flag}, ${variable} nor ${profile === undefined ? "a profile" : `the profile "${profile}"`} gives it. Nothing was sent.`,
      next: `Give ${flag} URL, set ${variable}, ${profile === undefined ? "name a profile with -p NAME, set one up with `bpos init`" : `give it to that profile with \`bpos profile add ${shellWord(profile)} --update ${flag} URL\``}, or rehearse without any set-up with --mock.`,
    };
  },
  key_missing: ({ profile }) => ({
    what: "There is no API key.",
    why: `Every call needs the key of a branch, and neither the environment nor ${profile === undefined ? "a profile" : `the profile "${profile}"`} gives one. Nothing was sent.`,
    next: `Set BPOS_API_KEY, ${profile === undefined ? "name a profile that holds the key with -p NAME, set one up with `bpos init`" : `give it to that profile with \`bpos profile add ${shellWord(profile)} --update --api-key-file FILE\``}, or rehearse without a key with --mock.`,
  }),
  key_unreadable: ({ source, detail }) => ({
    what: `The API key could not be read from ${source === "-" ? "standard input" : source}.`,
    why: detailSentence(detail),
    next: isKeyAsFile(detail)
      ? "--api-key-file takes the name of a file: write the key to one, alone on a line, and name that. BPOS_API_KEY does without a file, and --mock without a key."
      : "Put that right, set BPOS_API_KEY instead, or rehearse without a key with --mock.",
  }),
  secret_unusable: ({ source, detail }) => ({
    what: `The secret of the webhook could not be read from ${source === "-" ? "standard input" : source}.`,
    why: detailSentence(detail),
    next: "Make one with `openssl rand -hex 24`, and give the service an address that ends in /SECRET.",
  }),
  tls_unchecked: ({ origin }) => ({
    what: `NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off, and ${origin} is not this machine.`,
    why: "Anybody in between could read the key and the orders. Nothing was sent.",
    next: "Unset NODE_TLS_REJECT_UNAUTHORIZED. A certificate of your own is trusted with --ca-file FILE.",
  }),
  key_command_failed: ({ profile, problem }) => ({
    what: `The key_command of the profile "${profile}" gave no key.`,
    why: `${keyCommandWords(problem)} Nothing was sent.`,
    next: "Run that command by hand to see what it lacks; its first line of output must be the key. BPOS_API_KEY does without it.",
  }),
  profile_missing: ({ name, similar, known, file, isArgument }) => ({
    what: `There is no profile "${name}".`,
    why:
      known.length === 0
        ? `${file} holds no profile.`
        : `${file} holds: ${known.join(", ")}.${similar === null ? "" : ` Did you mean "${similar}"?`}`,
    next: isArgument
      ? known.length === 0
        ? "Set one up with `bpos init`."
        : "Name one of those; `bpos profile list` shows them."
      : `${known.length === 0 ? "Set one up with `bpos init`" : "Name one of those with -p NAME, or set this one up with `bpos init`"}, or do without one: set BPOS_API_KEY, or rehearse with --mock.`,
  }),
  config_open: ({ open }) => ({
    what: `Others on this machine can use ${open.map(({ path }) => path).join(" and ")}.`,
    why: `The profiles there hold keys, and the mode is ${open.map(({ mode }) => mode).join(" and ")}. Nothing was sent.`,
    next: `Run \`${open.map(({ path, fix }) => `chmod ${fix} ${shellWord(path)}`).join(" && ")}\`.`,
  }),
  config_unreadable: ({ file, detail }) => ({
    what: `The settings in ${file} cannot be used.`,
    why: detailSentence(detail),
    next: "Correct the file, or move it away to do without profiles: BPOS_API_KEY and the flags still work.",
  }),
  journal_unreadable: ({ file, detail }) => ({
    what: `The journal ${file} cannot be used.`,
    why: `${detailSentence(detail)} Without it bpos cannot promise that nothing is sent twice, so it sends nothing.`,
    next: journalNext(detail),
  }),
  journal_damaged: ({ file, detail }) => ({
    what: `${file} is damaged, or not a journal of bpos.`,
    why: `${ended(detail)} Nothing was sent.`,
    next: `Stop every bpos, then restore a backup of the journal. Without one, move the file and those beside it away: \`mv ${shellWord(file)} ${shellWord(`${file}.damaged`)}\`. An empty journal does not know which orders were delivered and who was messaged: check that before you send anything again.`,
  }),
  world_unusable: ({ file, problem }) => ({
    what: `The mock cannot keep its world in ${file}.`,
    ...worldWords(problem),
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
  clock_ahead: ({ aheadMs, stamped }) => ({
    what: `This machine's clock is ${Math.round(aheadMs / 60_000)} minutes ahead of the service's.`,
    why:
      stamped === undefined
        ? "A product that is stamped with a time to come beats every later price until then. Nothing was sent."
        : `The service told its time only with the answer to the first batch. That batch carries the stamp ${stamped}; no other batch was sent.`,
    next:
      stamped !== undefined
        ? "Set this machine's clock and push the file again from this machine: until then its stamps are the latest, and other machines' prices for those products count as stale."
        : "Set this machine's clock. If the service's is the wrong one, run the command again with --force.",
  }),
  rows_unreadable: ({ rows }) => ({
    what: `${times(rows, "row has", "rows have")} no code that can be read.`,
    why: "Nobody can tell whether their products are missing, so none is deactivated. Nothing was sent.",
    next: "Correct those rows (`bpos catalog check` names them), or push without --deactivate-missing.",
  }),
  too_many_missing: ({ missing, known, limit }) => ({
    what: `${missing} of the ${known} products that the service has ${missing === 1 ? "is" : "are"} not in the file.`,
    why: `At most ${limit} may be deactivated at once: a file that was cut off looks just like this. Nothing was sent.`,
    next: "Check the file. If it is right, allow more with --max-deactivate N or a share such as 50%.",
  }),
  output_unwritable: ({ file, detail, isOwn }) => ({
    what: `${file} could not be written.`,
    why: detailSentence(detail),
    next: isOwn
      ? "Check that you may write there and that the disk has room, or name another folder with BPOS_HOME."
      : "Check that its folder exists, that you may write there, and that the disk has room.",
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
    why: `${detailSentence(detail)} Nothing was sent.`,
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
  declined: ({ of }) => ({
    what: of === "send" ? "Nothing was sent." : "Nothing was changed.",
    why: "The question was answered with no.",
    next: "Run the command again when it is right; --yes answers beforehand.",
  }),
  ref_taken: ({ ref, template, by }) => ({
    what: `The reference "${ref}" is taken.`,
    why: `${by === undefined ? `A send of ${template}` : by === "test" ? "A test" : "A real send"} went out under it, or may have. Nothing was sent.`,
    next: "Choose another reference with --ref for another template or language; to settle that send, run it again as it was.",
  }),
  repeat_within_day: ({ people, ref, hoursAgo }) => ({
    what: `${times(people, "person", "people")} got this template already, ${hoursAgo < 1 ? "less than an hour" : `${hoursAgo} h`} ago, under the reference "${ref}".`,
    why: "The same template to the same person within 24 hours is mostly a mistake. Nothing was sent.",
    next: `To reach only the others of a corrected file, use --ref ${shellWord(ref)}; to send it again to everybody, use --allow-repeat.`,
  }),
  nobody_to_test: () => ({
    what: "There is no recipient whose message could be tried out.",
    why: "--test-to sends what the first usable row of the file would get, and no row is usable. Nothing was sent.",
    next: "Correct a row of the file, then run the command again.",
  }),
  send_open: ({ ref }) => ({
    what: `No call of the send "${ref}" has a clear answer yet.`,
    why: "A request was interrupted or not answered, so there is no campaign_id to ask for.",
    next: `${resumed(ref)} settles it with the same keys: nobody is messaged twice.`,
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
    next: `${resumed(ref)} settles it as it was, and may message them; then send the file again.`,
  }),
  journal_write_failed: ({ work, detail, ref }) => ({
    what: "The journal could not be written, so sending stopped.",
    why: `${ended(detail)} The report says what had been sent until then; the journal does not hold all of it.`,
    next:
      work === "push"
        ? "Free space on the disk, then run the same command again with the same file or codes: it continues where the journal ends, and nothing is applied twice."
        : `Free space on the disk, then run ${resumed(ref)}: it uses the same keys, so nobody is messaged twice.`,
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
};
