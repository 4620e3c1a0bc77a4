import type { Detail } from "../../errors/problems.ts";
import type { ErrorFacts } from "../../errors.ts";
import { addressNames, chmodLine, ended, ownedByOthers, resumed, shellWord, times } from "../phrases.ts";
import { defineReasons, type ErrorTexts, said } from "../shapes.ts";
import { caFileWords, callErrors, detailWords, execEnd, worldWords } from "./call-errors.ts";
import { priceChangeWords } from "./catalog.ts";
import { fileWords, headerProblemWords, headerUnreachableWords } from "./files.ts";
import { dates } from "./general.ts";
import {
  copyWords,
  journalNext,
  lockedWords,
  lockLostWords,
  lostWords,
  writeFailedWords,
} from "./journal.ts";
import { printerProblemNext, printerProblemWords } from "./printer.ts";
import { keyCommandWords } from "./profiles.ts";
import { usageWords } from "./usage.ts";

const nothingSent = "Nothing was sent.";
const isKind = (detail: Detail, kind: string): boolean => typeof detail === "object" && detail.kind === kind;
const source = (file: string): string => (file === "-" ? "standard input" : file);
const profileOf = (name: string | undefined): string =>
  name === undefined ? "a profile" : `the profile "${name}"`;
const held = ({ people, ref }: { people: number; ref: string }): string =>
  `${times(people, "recipient", "recipients")} of this send got the template meanwhile, under the reference "${ref}".`;
const redirected = (to: string | undefined): string => (to === undefined ? "" : ` (redirected to ${to})`);

/** Every reason for which a command cannot go on. */
export const errors: ErrorTexts = {
  ...callErrors,
  ...defineReasons({
    bug: {
      what: ({ detail }) => `Unexpected ${ended(detail)}`,
      why: "This is a defect of bpos, not of your input.",
      next: "Run the command again with --verbose and report its output and `bpos --version`. Check first whether it holds customers' names or phones.",
    },
    usage_flag: {
      ...said(({ problem }: ErrorFacts["usage_flag"]) => usageWords(problem)),
      more: "A flag or an argument is unknown, missing, has an invalid value or excludes another one. The message names it; --help after the command lists all of them.",
    },
    not_a_terminal: {
      what: ({ flag }) =>
        `${flag.startsWith("-") ? `${flag} is missing` : "The answers are missing"}, and there is no terminal to ask on.`,
      why: `bpos asks only on a terminal, outside CI and without --no-input. ${nothingSent}`,
      next: "Answer in advance with {flag}.",
    },
    address_missing: {
      what: "No address for the service ({which}).",
      why: ({ which, profile }) => {
        const [flag, variable] = addressNames(which);
        return `Neither ${flag} nor ${variable} nor ${profileOf(profile)} has it. ${nothingSent}`;
      },
      next: ({ which, profile }) => {
        const [flag, variable] = addressNames(which);
        const inProfile =
          profile === undefined
            ? "name a profile with -p NAME, set one up with `bpos init`"
            : `add it to that profile with \`bpos profile add ${shellWord(profile)} --update ${flag} URL\``;
        return `Pass ${flag} URL, set ${variable}, ${inProfile}, or rehearse with --mock.`;
      },
      more: "Orders and catalog have one address (base_url), campaigns another (campaigns_base_url). Pass it as a flag (--base-url, --campaigns-url), in the environment (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) or in a profile. --mock needs none.",
    },
    key_missing: {
      what: "No API key.",
      why: ({ profile }) => `Neither the environment nor ${profileOf(profile)} has one. ${nothingSent}`,
      next: ({ profile }) =>
        `Set BPOS_API_KEY, ${profile === undefined ? "name a profile that has a key with -p NAME, set one up with `bpos init`" : `add it to that profile with \`bpos profile add ${shellWord(profile)} --update --api-key-file FILE\``}, or rehearse with --mock.`,
      more: "Every request needs the key of a branch. Set BPOS_API_KEY, pass --api-key-file, or keep the key in a profile. --mock needs none. No flag takes the key itself: other users of the machine could read it.",
    },
    key_unreadable: {
      what: ({ source: from, detail }) => `No API key in ${source(from)}: ${ended(detailWords(detail))}`,
      why: "The file must hold the key alone, on one line of at most 512 characters, without accents.",
      next: ({ detail }) =>
        isKind(detail, "key_as_file")
          ? "--api-key-file takes the name of a file: write the key to one. BPOS_API_KEY needs no file, --mock no key."
          : "Correct the file, set BPOS_API_KEY instead, or rehearse with --mock.",
    },
    secret_unusable: {
      what: ({ source: from, detail }) =>
        `No webhook secret in ${source(from)}: ${ended(detailWords(detail))}`,
      why: "Without the secret anybody could post replies. Nothing was received.",
      next: "Create one with `openssl rand -hex 24` in a file of mode 0600, and give the service an address that ends in /SECRET.",
    },
    tls_unchecked: {
      what: "NODE_TLS_REJECT_UNAUTHORIZED=0 is set, and {origin} is not this machine.",
      why: `Node would accept any certificate, and anybody in between could read the key and the orders. ${nothingSent}`,
      next: "Unset NODE_TLS_REJECT_UNAUTHORIZED. To trust a certificate of your own, use --ca-file FILE.",
    },
    key_command_failed: {
      what: ({ profile, problem }) => `key_command of the profile "${profile}": ${keyCommandWords(problem)}.`,
      why: `The profile takes its key from the first line that this command prints. ${nothingSent}`,
      next: "Run that command by hand; a password manager may have to be unlocked first. BPOS_API_KEY works without it.",
    },
    profile_missing: {
      what: 'Profile "{name}" not found.',
      why: ({ known, file, similar }) =>
        known.length === 0
          ? `${file} holds no profile.`
          : `${file} holds: ${known.join(", ")}.${similar === null ? "" : ` Did you mean "${similar}"?`}`,
      next: ({ known, isArgument }) =>
        known.length === 0
          ? "Set one up with `bpos init`, or use BPOS_API_KEY or --mock."
          : isArgument
            ? "Name one of those."
            : "Name one of those with -p NAME, set this one up with `bpos init`, or use BPOS_API_KEY or --mock.",
      more: "No profile has the name given with -p, with BPOS_PROFILE or as the default of the file. `bpos profile list` shows the profiles.",
    },
    config_open: {
      what: ({ open }) => {
        const [strange] = ownedByOthers(open);
        return strange
          ? `${strange.path} belongs to another user of this machine (user id ${strange.owner}).`
          : `Other users of this machine can use ${open.map(({ path, mode }) => `${path} (mode ${mode})`).join(" and ")}.`;
      },
      why: `The file of profiles holds keys, which only you may read or change. ${nothingSent}`,
      next: ({ open }) =>
        ownedByOthers(open).length > 0
          ? "Run bpos as that user, or set BPOS_HOME to a folder of your own."
          : `Run \`${chmodLine(open)}\`.`,
    },
    config_unreadable: {
      what: ({ file, detail }) => `${file}: ${ended(detailWords(detail))}`,
      why: `The profiles are kept in that file, and it cannot be used. ${nothingSent}`,
      next: "Correct the file, or move it away: BPOS_API_KEY and the flags work without profiles.",
    },
    journal_unreadable: {
      what: ({ file, detail }) => `Journal ${file}: ${ended(detailWords(detail))}`,
      why: `Without the journal bpos cannot promise that nothing is sent twice. ${nothingSent}`,
      next: ({ detail }) =>
        journalNext(detail) ??
        "Check that you can read and write the file and that the disk has room, or name another folder with BPOS_HOME.",
      more: "The journal cannot be opened: the file or its folder, or the database of BPOS_JOURNAL. The message says why; `bpos doctor` checks it step by step.",
    },
    copy_refused: {
      what: ({ to, problem }) => `${to}: ${ended(copyWords(problem).what)}`,
      why: "A copy must be the whole journal, and the only one in use: otherwise people could be messaged twice.",
      next: ({ problem }) => copyWords(problem).next,
      more: "`bpos journal copy` needs a journal that no process works with, and a database that is empty or holds an unfinished copy of it.",
    },
    journal_damaged: {
      what: "Journal {file}: damaged, or not a journal of bpos ({detail}).",
      why: `Without the journal bpos cannot promise that nothing is sent twice. ${nothingSent}`,
      next: ({ file }) =>
        `Stop every bpos and restore a backup. Without one, move the file and those beside it away: \`mv ${shellWord(file)} ${shellWord(`${file}.damaged`)}\`. An empty journal does not know which orders were delivered and who was messaged: check that before you send.`,
      more: "The journal is damaged or another file: a power cut, a copy made while bpos ran, a failing disk. Stop every bpos and restore a backup. Without one, move the file and those beside it (`-wal`, `-shm`) away; an empty journal does not know which orders were delivered and who was messaged.",
    },
    journal_older: {
      what: "Journal {file}: older than what this machine did with it.",
      why: ({ sends }) =>
        `It was restored from a backup, or its server failed over to a replica that lagged. ${lostWords(sends)} ${nothingSent}`,
      next: "Use the newer journal if it still exists. Otherwise `bpos journal accept-restore` explains what continuing with this one means, and asks.",
      more: "Each journal counts what is sent, pushed and delivered, and each machine remembers the highest counts outside it. A journal that was restored from a backup, or whose server failed over to a replica that lagged, has lower ones: it does not know whom it messaged since. Use the newer journal if it still exists; otherwise `bpos journal accept-restore` accepts this one.",
    },
    world_unusable: {
      what: ({ file, problem }) => `${file}: ${worldWords(problem).what}.`,
      why: "The mock keeps its world in that file. It holds no real order.",
      next: ({ problem }) => worldWords(problem).next,
    },
    proxy_unusable: {
      what: ({ variable, scheme }) =>
        scheme === undefined
          ? `${variable} does not hold a proxy address.`
          : `${variable} names a ${scheme}:// proxy, and bpos supports http:// and https:// only.`,
      why: nothingSent,
      next: "Set {variable} to http://HOST:PORT or http://USER:PASSWORD@HOST:PORT (special characters percent-encoded), unset it, or list the service's host in NO_PROXY.",
      more: "HTTPS_PROXY or HTTP_PROXY holds no address that bpos can use. Set it to http://HOST:PORT, with USER:PASSWORD@ before the host if the proxy needs it, or unset it.",
    },
    ca_file_unusable: {
      what: ({ file, problem }) => `${file}: ${ended(caFileWords(problem).what)}`,
      why: `The file of --ca-file must hold certificates in PEM form. ${nothingSent}`,
      next: ({ problem }) => caFileWords(problem).next,
    },
    locked: {
      ...said(lockedWords),
      more: "Another bpos does the same work for this branch. Two would deliver orders twice or mix two price lists. Wait until it ends, or stop it: the message names its process. A push or a send waits up to 60 s for the other (--lock-wait); bpos never waits for a watch, and a second watch needs its own --consumer.",
    },
    lock_lost: {
      ...said(lockLostWords),
      more: "With a journal in PostgreSQL a process holds its lock as long as it renews it. One that is stopped, or cut off from the database, loses it to the next that asks. With a journal in a file a process loses its lock when the file, or a file in `locks/`, is removed or replaced. It does nothing more, so that no order is delivered twice and nobody is messaged twice. Let the other one work, or put the journal back, and run the command again. A watch that is to stand by needs --standby.",
    },
    clock_ahead: {
      what: ({ aheadMs }) =>
        `This machine's clock is ${Math.round(aheadMs / 60_000)} minutes ahead of the service's.`,
      why: ({ stamped }) =>
        stamped === undefined
          ? `A price stamped with a future time beats every later one until then. ${nothingSent}`
          : `The service told its time only in its first answer. That batch carries the stamp ${stamped}; no other was sent.`,
      next: ({ stamped }) =>
        stamped === undefined
          ? "Set this machine's clock. If the service's clock is wrong, run the command again with --force."
          : "Set this machine's clock and push the file again from here: until that time other machines' prices for those products count as stale.",
      more: "A price stamped with a future time would beat every later one until then. Set this machine's clock, best by network time. Only if the service's clock is wrong, push with --force.",
    },
    rows_unreadable: {
      what: ({ rows }) => `${times(rows, "row has", "rows have")} no readable code.`,
      why: `--deactivate-missing deactivates products that are not in the file, and such a row may be one of them. ${nothingSent}`,
      next: "Correct those rows (`bpos catalog check` names them), or push without --deactivate-missing.",
    },
    too_many_missing: {
      what: ({ missing, known, limit }) =>
        `${missing} of the ${known} products that the service has ${missing === 1 ? "is" : "are"} not in the file, and at most ${limit} may be deactivated.`,
      why: `This usually means a truncated export. ${nothingSent}`,
      next: "Check that the file is complete. If it is, allow more with --max-deactivate N or a share such as 50%.",
    },
    price_change_too_large: priceChangeWords,
    output_unwritable: {
      what: ({ file, detail }) => `${file}: ${ended(detailWords(detail))}`,
      why: "It could not be written. What was sent before stays sent, and is in the journal.",
      next: ({ isOwn }) =>
        isOwn
          ? "Check permissions and free space, or name another folder with BPOS_HOME."
          : "Check that its folder exists, permissions and free space.",
    },
    order_file_taken: {
      what: "{file} exists and does not hold this order.",
      why: "bpos never overwrites a file of orders.",
      next: "Move that file away, or name another folder with --out-dir: the order is written then.",
    },
    exec_failed: {
      what: (facts) =>
        ended(`\`${facts.command}\` ${execEnd(facts)}${facts.detail === "" ? "" : `: ${facts.detail}`}`),
      why: "Order {orderId} counts as not delivered; bpos runs the command for it again until it exits with 0.",
      next: ({ timedOutMs }) =>
        timedOutMs === null
          ? "Correct the command or what it needs."
          : "Make the command quicker, or allow more time with --exec-timeout.",
      more: "The command of --exec exited with a code other than 0, took too long or could not be started. bpos runs it again for the order until it exits with 0, so it must tolerate duplicates.",
    },
    printer_failed: {
      what: ({ printer, problem }) => ended(`${printer}: ${printerProblemWords(problem)}`),
      why: ({ maybe }) => (maybe ? "Part of it may be on paper." : "Nothing was printed."),
      next: ({ problem }) => printerProblemNext(problem),
      more: "The printer could not be reached, is out of paper, has its cover open or closed the connection, or its device or queue refused the data. A watch prints the order again, marked REPRINT if part of it may be on paper.",
    },
    port_busy: {
      what: ({ host, port, pid }) =>
        `Port ${port} on ${host} is in use${pid === null ? "" : ` by another \`bpos mock\`, process ${pid}`}.`,
      why: "Another program listens there, perhaps another `bpos mock` or `bpos campaign listen`.",
      next: "Stop that program, choose another port with --port N, or any free one with --port 0.",
    },
    port_denied: {
      what: "No permission to listen on port {port} of {host}.",
      why: "Ports below 1024 are usually reserved for the administrator.",
      next: "Choose a port from 1024 on with --port N, and forward to it from a reverse proxy or a tunnel.",
    },
    memory_short: {
      what: ({ detail = "" }) => `bpos has too little memory: ${ended(detailWords(detail))}`,
      why: "A limit of the process leaves too little (`ulimit -v`, a container, a hoster), or the machine has none left. The network has nothing to do with it. Work in progress is in the journal.",
      next: "Raise the limit, or set NODE_OPTIONS=--disable-wasm-trap-handler where only addresses are limited (`ulimit -v`); then run the command again.",
    },
    input_unreadable: {
      what: ({ file, detail }) => `${file}: ${ended(detailWords(detail))}`,
      why: nothingSent,
      next: "Check the name and the permissions; quote a name with spaces. - reads standard input.",
      more: "The input file does not exist, is a folder, or cannot be read by this user.",
    },
    input_unusable: {
      what: ({ file, line, problem }) =>
        `${file}${line === undefined ? "" : `, line ${line}`}: ${fileWords(problem).what}.`,
      why: nothingSent,
      next: ({ problem }) => fileWords(problem).next,
      more: "The file was read, and the command cannot use it. The message says why and often which flag helps. `bpos catalog check` reads a catalog without sending anything.",
    },
    rows_rejected_strict: {
      what: ({ file, rejected }) => `${file}: ${times(rejected, "row was", "rows were")} rejected.`,
      why: `--strict sends all rows or none. ${nothingSent}`,
      next: "Correct the rows listed, or leave out --strict to send the others; --rejected FILE keeps these.",
    },
    order_not_found: {
      what: "Order {orderId} not found.",
      why: "It is in none of the eight states of this branch.",
      next: "Check the number with `bpos orders list --status all --all`, and the branch with -p NAME. The service may no longer list old orders.",
    },
    send_not_found: {
      what: 'Send "{ref}" not found.',
      why: "No campaign in this journal has this reference and key.",
      next: "Check the reference (`bpos campaign list`) and the branch (-p NAME), or pass a campaign_id: `bpos campaign status ID`.",
    },
    person_not_found: {
      what: "No send to {phone} found.",
      why: "No campaign in this journal with this key has this phone, in any spelling.",
      next: "Check the phone and its country (--country AR), and the branch with -p NAME. `bpos campaign status ID` lists the recipients of a campaign that was sent elsewhere.",
    },
    expected_other_count: {
      what: ({ expected, actual }) =>
        `${times(actual, "recipient", "recipients")} would be messaged, not ${expected}.`,
      why: `bpos sends only to as many recipients as --expect says, or as you confirmed. ${nothingSent}`,
      next: "Check with --dry-run who is left out and why; then run the command again with the right --expect.",
    },
    declined: {
      what: ({ of }) => (of === "send" ? nothingSent : "Nothing was changed."),
      why: "The question was answered with no.",
      next: "Run the command again when you are ready; --yes answers in advance.",
    },
    ref_taken: {
      what: ({ ref, template, by }) =>
        `The reference "${ref}" belongs to ${by === undefined ? `a send of ${template}` : by === "test" ? "a test" : "a real send"}.`,
      why: `Under one reference each recipient is messaged once, with one template in one language. ${nothingSent}`,
      next: "Choose another reference with --ref; to settle that send, run it again as it was.",
    },
    repeat_within_day: {
      what: ({ people, ref, hoursAgo }) =>
        `${times(people, "recipient", "recipients")} got this template ${hoursAgo < 1 ? "less than an hour" : `${hoursAgo} h`} ago, under the reference "${ref}".`,
      why: `The same template to the same person within 24 hours is usually a mistake. ${nothingSent}`,
      next: ({ ref }) =>
        `To reach only the others of a corrected file, use --ref ${shellWord(ref)}; to message everybody again, use --allow-repeat.`,
    },
    nobody_to_test: {
      what: "No recipient to test the message with.",
      why: `--test-to sends what the first valid row would get, and no row is valid. ${nothingSent}`,
      next: "Correct a row (--dry-run says what is wrong), then run the command again.",
    },
    send_open: {
      what: 'No call of the send "{ref}" has an answer yet.',
      why: "A request was interrupted or not answered, so there is no campaign_id.",
      next: ({ ref }) => `${resumed(ref)} settles it with the same keys: nobody is messaged twice.`,
      more: "The send was interrupted before any call was answered, so there is no campaign_id. `bpos campaign resume` sends the same calls with the same keys: nobody is messaged twice.",
    },
    too_late: {
      what: ({ notAfter }) => `It is later than ${dates.time(notAfter)}: the rest was not sent.`,
      why: "--not-after was set when the send was confirmed, and holds for `bpos campaign resume` too.",
      next: "`bpos campaign list` shows what was sent. To reach the others, send the file again with the same --ref and a later --not-after.",
    },
    too_late_unknown: {
      what: ({ notAfter }) =>
        `It is later than ${dates.time(notAfter)}: calls without an answer were not retried.`,
      why: "A call was sent before that time and its outcome is unknown; settling it now could message people too late.",
      next: "Send the file again with the same --ref and a later --not-after to settle it, or ask whoever runs the service whether it arrived.",
    },
    repeat_held: {
      what: held,
      why: "Within 24 hours that is usually a mistake, so the calls with them were not sent.",
      next: ({ sendRef }) =>
        `To send them anyway: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\`. To reach the others: send the file again with --ref ${shellWord(sendRef)} and these recipients in --exclude.`,
      more: "While this send was pending, some recipients got the same template under another reference; the calls with them were held. Resume with --allow-repeat to send them anyway, or send the file again with these recipients in --exclude.",
    },
    repeat_held_unknown: {
      what: held,
      why: "The calls with them were not sent again. The outcome of some is unknown.",
      next: ({ sendRef }) =>
        `To send them anyway: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\`; a call that had arrived is not carried out again.`,
      more: "As repeat_held, and the outcome of some held calls is unknown. Resume with --allow-repeat: a call that had arrived is not carried out again.",
    },
    excluded_in_open: {
      what: ({ ref, people }) =>
        `${times(people, "excluded recipient is", "excluded recipients are")} in a call of "${ref}" whose outcome is unknown.`,
      why: "It may have been sent and cannot be changed any more. Nothing was sent now.",
      next: ({ ref }) =>
        `${resumed(ref)} settles it as it was and may message them; then send the file again.`,
      more: "A recipient in --exclude is in a call whose outcome is unknown and which cannot be changed any more. Settle it with `bpos campaign resume`, which may message that recipient, then send the file again.",
    },
    journal_write_failed: {
      ...said(writeFailedWords),
      more: "The journal could not be written after part of a push or a send was sent, usually because the disk is full or the database cannot be reached. Correct that, then push the same file again or run `bpos campaign resume`: nothing is sent or applied twice. Where another bpos took over, the message names it: let it end first, and push the newest file.",
    },
    header_unusable: {
      what: ({ url, redirectedTo, problem }) =>
        `Header file ${url}${redirected(redirectedTo)}: ${headerProblemWords(problem).what}.`,
      why: `The service could not use it. ${nothingSent}`,
      next: ({ problem }) => headerProblemWords(problem).next,
      more: "The file of --header-url cannot be the header of a message: wrong type, too large, a web page, or an address that the service cannot reach. Open the URL in a private browser window: the file itself must open.",
    },
    header_unreachable: {
      what: ({ url, redirectedTo, problem }) =>
        ended(`Header file ${url}${redirected(redirectedTo)}: ${headerUnreachableWords(problem).what}`),
      why: `It could not be checked from this machine; it may still be right. ${nothingSent}`,
      next: ({ problem }) =>
        `${headerUnreachableWords(problem).next} --no-preflight sends without the check.`,
    },
  }),
};
