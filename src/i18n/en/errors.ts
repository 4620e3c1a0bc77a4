import { printerProblemNext, printerProblemWords } from "../../errors/words/printer.ts";
import { keyCommandWords } from "../../errors/words/profiles.ts";
import { textsIn } from "../../texts/texts.ts";
import type { ErrorTexts } from "../shapes.ts";
import { defineReasons, joinReasons, knownOfReasons, type LocalReason, pathWords } from "../shared/errors.ts";
import {
  caFileWords,
  callErrors,
  clientCertWords,
  detailWords,
  execEnd,
  program,
  worldWords,
} from "./call-errors.ts";
import { campaignErrors } from "./campaign-errors.ts";
import { fileWords } from "./files.ts";
import { dates } from "./general.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";
import { copyWords, journalErrors } from "./journal.ts";
import { layoutWords } from "./layout.ts";
import { usageWords } from "./usage.ts";

const t = textsIn("en");

const known = knownOfReasons({
  layout: layoutWords,
  caFile: caFileWords,
  clientCert: clientCertWords,
  copy: copyWords,
  detail: detailWords,
  execEnd,
  program,
  file: (name) => name,
  fileProblem: fileWords,
  header: headerProblemWords,
  keyCommand: (problem) => keyCommandWords(problem, t),
  path: pathWords("{path} (mode {mode})"),
  printer: (problem) => printerProblemWords(problem, t),
  printerNext: (problem) => printerProblemNext(problem, t),
  spoken: (flag) => flag,
  time: dates.time,
  unreachable: headerUnreachableWords,
  usage: usageWords,
  world: worldWords,
  and: "and",
  stdin: "standard input",
});

const localErrors = defineReasons<LocalReason>()(known)({
  bug: {
    what: "Unexpected {detail}.",
    why: "This is a defect of bpos, not of your input.",
    next: "Run the command again with --verbose and report its output and `bpos --version`. Check first whether it holds customers' names or phones.",
  },
  usage_flag: {
    more: "A flag or an argument is unknown, missing, has an invalid value or excludes another one. The message names it; --help after the command lists all of them.",
  },
  not_a_terminal: {
    what: {
      isWish: "{flag} asks, and there is no terminal to ask on.",
      isFlag: "{flag} is missing, and there is no terminal to ask on.",
      else: "The answers are missing, and there is no terminal to ask on.",
    },
    why: "bpos asks only on a terminal, outside CI and without --no-input.",
    next: { isWish: "Leave out {flag}; --dry-run shows the same.", else: "Answer in advance with {flag}." },
  },
  address_missing: {
    what: "No address for the service ({which}).",
    why: {
      profile: 'Neither {flag} nor {variable} nor the profile "{profile}" has it.',
      else: "Neither {flag} nor {variable} nor a profile has it.",
    },
    next: {
      profile:
        "Pass {flag} URL, set {variable}, add it to that profile with `bpos profile add {profile:shell} --update {flag} URL`, or rehearse with --mock.",
      else: "Pass {flag} URL, set {variable}, name a profile with -p NAME, set one up with `bpos init`, or rehearse with --mock.",
    },
    more: "Orders and catalog have one address (base_url), campaigns another (campaigns_base_url). Pass it as a flag (--base-url, --campaigns-url), in the environment (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) or in a profile. --mock needs none.",
  },
  key_missing: {
    what: "No API key.",
    why: {
      profile: 'Neither the environment nor the profile "{profile}" has one.',
      else: "Neither the environment nor a profile has one.",
    },
    next: {
      profile:
        "Set BPOS_API_KEY, add it to that profile with `bpos profile add {profile:shell} --update --api-key-file FILE`, or rehearse with --mock.",
      else: "Set BPOS_API_KEY, name a profile that has a key with -p NAME, set one up with `bpos init`, or rehearse with --mock.",
    },
    more: "Every request needs the key of a branch. Set BPOS_API_KEY, pass --api-key-file, or keep the key in a profile. --mock needs none. No flag takes the key itself: other users of the machine could read it.",
  },
  key_unreadable: {
    what: "No API key in {source}: {detail}.",
    why: "The file must hold the key alone, on one line of at most 512 characters, without accents.",
    next: {
      isKey:
        "--api-key-file takes the name of a file: write the key to one. BPOS_API_KEY needs no file, --mock no key.",
      else: "Correct the file, set BPOS_API_KEY instead, or rehearse with --mock.",
    },
  },
  secret_unusable: {
    what: "No webhook secret in {source}: {detail}.",
    why: "Without the secret anybody could post replies.",
    next: "Create one with `openssl rand -hex 24` in a file of mode 0600, and give the service an address that ends in /SECRET.",
  },
  tls_unchecked: {
    what: "NODE_TLS_REJECT_UNAUTHORIZED=0 is set, and {origin} is not this machine.",
    why: "Node would accept any certificate, and anybody in between could read the key and the orders.",
    next: "Unset NODE_TLS_REJECT_UNAUTHORIZED. To trust a certificate of your own, use --ca-file FILE.",
  },
  key_command_failed: {
    what: 'key_command of the profile "{profile}": {problem}.',
    why: "The profile takes its key from the first line that this command prints.",
    next: "Run that command by hand; a password manager may have to be unlocked first. BPOS_API_KEY works without it.",
  },
  profile_missing: {
    what: 'Profile "{name}" not found.',
    why: {
      known: '{file} holds: {known}.[ Did you mean "{similar}"?]',
      else: "{file} holds no profile.",
    },
    next: {
      known: {
        isArgument:
          "Name one of those, or add a profile with `bpos init` or `bpos profile add NAME --base-url URL --api-key-file FILE`.",
        else: "Name one of those with -p NAME, set this one up with `bpos init`, or use BPOS_API_KEY or --mock.",
      },
      else: "Set one up with `bpos init`, or use BPOS_API_KEY or --mock.",
    },
    more: "No profile has the name given with -p, with BPOS_PROFILE or as the default of the file. `bpos profile list` shows the profiles.",
  },
  profiles_none: {
    what: "--all-profiles found no profile in {file}.",
    why: "Address and key of each branch come from its profile.",
    next: "Set one up for each branch with `bpos init`, or leave out --all-profiles.",
  },
  station_not_found: {
    what: 'The station "{name}" does not exist.',
    why: {
      similar: 'Did you mean "{similar}"?',
      known: "The stations are {known}.",
      else: "The profile has no stations.",
    },
    next: "`bpos profile station list` shows them.",
    more: "The profile has no station of this name. `bpos profile station list` shows its stations.",
  },
  config_open: {
    what: {
      strange: "{strange} belongs to another user of this machine[ (user id {owner})].",
      else: "Other users of this machine can use {paths}.",
    },
    why: "The file of profiles holds keys, which only you may read or change.",
    next: {
      strange: "Run bpos as that user, or set BPOS_HOME to a folder of your own.",
      else: "Run `{command}`.",
    },
  },
  config_unreadable: {
    why: "The profiles are kept in that file, and it cannot be used.",
    next: "Correct the file, or move it away: BPOS_API_KEY and the flags work without profiles.",
  },
  copy_refused: {
    why: "A copy must be the whole journal, and the only one in use: otherwise people could be messaged twice.",
    more: "`bpos journal copy` needs a journal that no process works with, and a database that is empty or holds an unfinished copy of it.",
  },
  world_unusable: {
    why: "The mock keeps its world in that file. It holds no real order.",
  },
  layout_unusable: {
    more: "A layout of receipts has a key or a value that bpos does not know, its logo cannot be printed, or it would leave out a part that the kitchen needs.",
  },
  proxy_unusable: {
    what: {
      scheme: "{variable} names a {scheme}:// proxy, and bpos supports http:// and https:// only.",
      else: "{variable} does not hold a proxy address.",
    },
    next: "Set {variable} to http://HOST:PORT or http://USER:PASSWORD@HOST:PORT (special characters percent-encoded), unset it, or list the service's host in NO_PROXY.",
    more: "HTTPS_PROXY or HTTP_PROXY holds no address that bpos can use. Set it to http://HOST:PORT, with USER:PASSWORD@ before the host if the proxy needs it, or unset it.",
  },
  ca_file_unusable: {
    why: "The file of --ca-file must hold certificates in PEM form.",
  },
  client_cert_unusable: {
    why: "A client certificate and its key are PEM files: --client-cert and --client-key, or client_cert and client_key of the profile.",
  },
  clock_ahead: {
    what: "This machine's clock is {minutes} minutes ahead of the service's.",
    why: {
      stamped:
        "The service sent its time only with its first answer. That batch carries the stamp {stamped}; no other was sent.",
      else: "A price stamped with a future time overrides every later one until then.",
    },
    next: {
      stamped:
        "Set this machine's clock and push the file again from here: until that time other machines' prices for those products count as stale.",
      else: "Set this machine's clock. If the service's clock is wrong, run the command again with --force.",
    },
    more: "A price stamped with a future time would override every later one until then. Set this machine's clock, preferably by network time. Only if the service's clock is wrong, push with --force.",
  },
  rows_unreadable: {
    what: "{rows|row has|rows have} no readable code.",
    why: "--deactivate-missing deactivates products that are not in the file, and such a row may be one of them.",
    next: "Correct those rows (`bpos catalog check` names them), or push without --deactivate-missing.",
  },
  too_many_missing: {
    what: {
      isUndo:
        "It would deactivate {missing} of the {known} products that the service has, and at most {limit} may be deactivated.",
      else: "{missing} of the {known} products that the service has {missing?is|are} not in the file, and at most {limit} may be deactivated.",
    },
    why: {
      isUndo: "That push put them on sale.",
      else: "This usually means a truncated export.",
    },
    next: {
      isUndo: "If that is meant, allow more with --max-deactivate N or a share such as 50%.",
      else: "Check that the file is complete. If it is, allow more with --max-deactivate N or a share such as 50%.",
    },
    more: "More products would be deactivated than --max-deactivate allows (20% without it). For a push with --deactivate-missing this usually means a truncated export; for an undo, that the push put many products on sale. Nothing was sent; --max-deactivate N or a share such as 50% allows more.",
  },
  push_not_found: {
    what: {
      push: 'This machine\'s journal has no push "{push}".',
      else: "This machine's journal has no push to undo.",
    },
    why: {
      push: "Only the journal records pushes. No push of this branch has this id, or the ids of several begin with it.",
      else: "Only the journal records pushes, and it has none of this branch.",
    },
    next: "`bpos catalog history --fields push_id,at,file` lists them; -p NAME chooses the branch. If another machine pushed, undo it there.",
    more: "A push is recorded only in the journal of the machine that pushed. No push of this branch has that id, or the ids of several begin with it.",
  },
  push_not_kept: {
    what: 'This journal does not know what the products were before push "{push}".',
    why: "It keeps that of the last 50 pushes of a branch, and of pushes of more than 5,000 products only after --changed-only was used.",
    next: "Push the earlier list again.",
  },
  price_change_too_large: {
    what: "{count|known price|known prices} would change by more than {limit}[, {count?that|most of all that} of {codigo} from {before} to {after}].",
    why: "This usually means a wrong decimal sign, column or unit.",
    next: "Check those rows. If the prices are right, push with a higher --max-price-change or without it.",
  },
  output_unwritable: {
    what: {
      isOwn: "{file} could not be written: {detail}.",
      else: "{file} could not be written: {detail}. What was sent before stays sent, and is in the journal.",
    },
    next: {
      isOwn: "Check permissions and free space, or name another folder with BPOS_HOME.",
      else: "Check that its folder exists, its permissions and the free space.",
    },
    more: "A file or standard output could not be written. What was sent before stays sent, and is in the journal.",
  },
  order_file_taken: {
    what: "{file} exists and does not hold this order.",
    why: "bpos never overwrites a file of orders.",
    next: "Move that file away, or name another folder with --out-dir: bpos then writes the order.",
  },
  exec_failed: {
    next: {
      timedOutMs:
        "Make the command quicker, or allow more time with --exec-timeout. Until it exits with 0, bpos runs it again for order {orderId}.",
      else: "Correct the command or what it needs. Until it exits with 0, bpos runs it again for order {orderId}.",
    },
    more: "The command of --exec exited with a code other than 0, took too long or could not be started. bpos runs it again for the order until it exits with 0, so it must tolerate duplicates.",
  },
  printer_failed: {
    what: { maybe: "{problem} Part of it may be on paper.", else: "{problem} Nothing was printed." },
    more: "The printer could not be reached, is out of paper, has its cover open or closed the connection, or its device or queue refused the data. A watch prints the order again, marked REPRINT if part of it may be on paper.",
  },
  port_busy: {
    what: "Port {port} on {host} is in use[ by process {pid}].",
    why: {
      pid: "Perhaps it is another bpos.",
      else: "Another program listens there, perhaps another bpos. `lsof -i :{port}` names it, on Windows `netstat -ano`.",
    },
    next: "Stop that program, or choose another port; 0 is any free one.",
    more: "Another program listens there, perhaps another bpos. `lsof -i :PORT` names it, on Windows `netstat -ano`.",
  },
  port_denied: {
    what: "No permission to listen on port {port} of {host}.",
    why: "Ports below 1024 are usually reserved for the administrator.",
    next: "Choose a port from 1024 on, and forward to it from a reverse proxy or a tunnel.",
  },
  memory_short: {
    what: "bpos has too little memory: {detail}.",
    why: "A limit of the process leaves too little (`ulimit -v`, a container, a hoster), or the machine has none left. The network has nothing to do with it. Work in progress is in the journal.",
    next: "Raise the limit, or set NODE_OPTIONS=--disable-wasm-trap-handler if only address space is limited (`ulimit -v`); then run the command again.",
  },
  input_unreadable: {
    next: "Check the name and the permissions; quote a name with spaces. - reads standard input.",
    more: "The input file does not exist, is a folder, or cannot be read by this user.",
  },
  input_unusable: {
    what: "{file}[, line {line}]: {problem}.",
    more: "The file was read, and the command cannot use it. The message says why and often which flag helps. `bpos catalog check` reads a catalog without sending anything.",
  },
  rows_rejected_strict: {
    what: "{file}: {rejected|row was|rows were} rejected.",
    why: "--strict sends all rows or none.",
    next: "Correct the rows listed, or leave out --strict to send the others; --rejected FILE keeps these.",
  },
  order_not_found: {
    what: "Order {orderId} not found.",
    why: "It is in none of the eight states of this branch.",
    next: "Check the number with `bpos orders list --status all --all`, and the branch with -p NAME. The service may no longer list old orders.",
  },
  message_not_found: {
    what: {
      failed: "The message to {phone} failed.",
      else: "No message went to {phone}.",
    },
    why: "In a mock only a phone that got a message can reply.",
    next: {
      reached: "Reply from a phone that got one: {reached}.",
      else: "Send a campaign first; `bpos mock advance 5m` lets its messages arrive.",
    },
  },
  send_not_found: {
    what: 'This machine\'s journal has no send "{ref}".',
    why: "bpos searches only the journal, for this key: the service finds a campaign only by its id.",
    next: "Check the reference (`bpos campaign list`) and the branch (-p NAME). If another machine sent it, run this there, or ask the service: `bpos campaign status ID` with its campaign_id.",
  },
  person_not_found: {
    what: "This machine's journal has no send to {phone}.",
    why: "bpos searches only the journal, for this key and any spelling of the phone: the service cannot search by phone.",
    next: "Check the phone (--country AR) and the branch (-p NAME). If another machine sent it, run this there, or ask the service: `bpos campaign status ID` with its campaign_id.",
  },
  opt_out_not_found: {
    what: "This machine's journal has no opt-out of {phone}.",
    why: "Opt-outs are recorded only in the journal.",
    next: "Check the phone and its country (--country AR); `bpos campaign optout list` shows who opted out.",
  },
  mock_not_found: {
    what: "The mock refused: {said}.",
    next: "`bpos mock fault --list` shows the faults with their ids.",
    more: "The mock has nothing with that id. `bpos mock fault --list` shows the faults with their ids.",
  },
  expected_other_count: {
    what: "{actual|recipient|recipients} would be messaged, not {expected}.",
    why: "bpos sends only to as many recipients as --expect says, or as you confirmed.",
    next: "Check with --dry-run who is left out and why; then run the command again with the right --expect.",
  },
  declined: {
    what: {
      of: {
        send: "Nothing was sent.",
        push: "Nothing was sent.",
        undo: "Nothing was sent.",
        else: "Nothing was changed.",
      },
    },
    why: "You answered no.",
    next: "Run the command again when you are ready; --yes answers in advance.",
  },
  header_unusable: {
    what: "Header file {url}[ (redirected to {redirectedTo})]: {problem}.",
    why: "The service could not use it.",
    more: "The file of --header-url cannot be the header of a message: wrong type, too large, a web page, or an address that the service cannot reach. Open the URL in a private browser window: the file itself must open.",
  },
  header_unreachable: {
    what: "Header file {url}[ (redirected to {redirectedTo})]: {problem}.",
    why: "It could not be checked from this machine; it may still be right.",
    next: "{remedy} --no-preflight sends without the check.",
  },
});

/** Every reason for which a command cannot go on. */
export const errors: ErrorTexts = joinReasons(
  joinReasons(callErrors, joinReasons(journalErrors, campaignErrors)),
  localErrors,
);
