import type { Explanations } from "../shapes.ts";

const nothingTwice = "Nothing is sent or applied twice.";

/** What lies behind each reason, where the message itself has no room for it. */
export const explanations: Explanations = {
  bug: {
    cause:
      "Something happened that bpos does not provide for. Your input may have led there, but it is not to blame.",
    remedy:
      "Run the command again with --verbose and report what it prints, with the command line and `bpos --version`. Before you report it, look whether customers' names or phones are in it.",
  },
  usage_flag: {
    cause:
      "A flag or an argument is unknown, missing, has a value that it does not take, or does not go with another one. Nothing was sent.",
    remedy: "The message names the flag. --help behind the command shows all of them, with examples.",
  },
  not_a_terminal: {
    cause:
      "The command wants to ask something, and nobody can answer: it runs in a pipe, from cron, in CI or with --no-input. Nothing was sent.",
    remedy: "Give the flag that the message names, which answers beforehand; mostly it is --yes.",
  },
  address_missing: {
    cause:
      "bpos knows no address of the service. Orders and catalog have one (base_url), campaigns another (campaigns_base_url).",
    remedy:
      "Give it by flag (--base-url, --campaigns-url), in the environment (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) or in the profile. --mock needs none.",
  },
  key_missing: {
    cause:
      "Every call carries the key of a branch, and neither BPOS_API_KEY, a file nor a profile gives one.",
    remedy:
      "Set BPOS_API_KEY, name a file with --api-key-file, or keep the key in a profile. --mock needs none. No flag takes the key itself: others on the machine could read it.",
  },
  key_unreadable: {
    cause:
      "The file of --api-key-file cannot be read or is empty, or what it holds is no key: more than 512 characters, several lines, or a character that cannot travel in a header, such as a letter with an accent.",
    remedy:
      "Look at the file: the key must stand in it alone, on one line. Copy the key again from where you got it.",
  },
  secret_unusable: {
    cause:
      "The secret of `campaign listen`, from --secret-file or BPOS_WEBHOOK_SECRET, cannot be read, or is not one line of 8 to 512 characters that an address can end in.",
    remedy:
      "Make one with `openssl rand -hex 24`, write it to a file of mode 0600, and give the service an address that ends in /SECRET.",
  },
  tls_unchecked: {
    cause:
      "NODE_TLS_REJECT_UNAUTHORIZED=0 stands in the environment: Node would accept any certificate, and anybody in between could read the key.",
    remedy:
      "Unset that variable. Name the certificate that is to be trusted with --ca-file. On this machine itself (loopback) the variable is let pass.",
  },
  key_command_failed: {
    cause:
      "The profile gets its key from a command (key_command), and that command ended with an error, took too long, or printed no key.",
    remedy:
      "Run that command by hand and see what it says. A password manager may have to be unlocked first.",
  },
  profile_missing: {
    cause:
      "No profile has the name that was given with -p, with BPOS_PROFILE, or as the default of the file.",
    remedy: "The message lists the names that there are. Correct the name, or add the profile.",
  },
  config_open: {
    cause:
      "The file of profiles holds keys, and its permissions let other users of this machine read or change it.",
    remedy: "Run the command that the message shows: it gives the file back to you alone.",
  },
  config_unreadable: {
    cause: "The file of profiles is not JSON, has a value of the wrong kind, or cannot be read.",
    remedy:
      "Correct it in an editor, or move it away and set it up again. Meanwhile BPOS_API_KEY and the flags work without it.",
  },
  journal_unreadable: {
    cause:
      "The journal cannot be opened or written: no permission, a full disk, or a newer bpos wrote it. It is what keeps anything from being done twice, so nothing is sent without it.",
    remedy:
      "Make room or give the permission back, or update bpos. BPOS_HOME names another folder, but a new journal does not know what was done until now.",
  },
  journal_damaged: {
    cause:
      "The file that should be the journal is damaged or something else: a power cut, a copy made while bpos ran, a disk that fails. bpos leaves it as it is and sends nothing.",
    remedy:
      "Stop every bpos and restore a backup. Without one, move the file and those beside it (`-wal`, `-shm`) away: the next command begins an empty journal, which does not know which orders were delivered and who was messaged. Check that before you send.",
  },
  world_unusable: {
    cause: "The file in which the mock keeps its world is damaged, of another version, or cannot be written.",
    remedy:
      "Move it away, or name another one with --data: a new world begins there. No real order is in it.",
  },
  proxy_unusable: {
    cause:
      "The variable that names a proxy (HTTPS_PROXY, HTTP_PROXY) holds no address that bpos can go through.",
    remedy:
      "Write it as http://host:port, with user:password@ before the host where the proxy wants that; or unset it.",
  },
  ca_file_unusable: {
    cause: "The file of certificates cannot be read, or what is in it is no certificate in PEM form.",
    remedy:
      "A PEM file has lines that say BEGIN CERTIFICATE. Ask whoever runs your network or proxy for its certificate in that form.",
  },
  locked: {
    cause:
      "Another bpos does the same work for this branch. Two of them would hand on orders twice, or mix two price lists.",
    remedy:
      "Let it end, or stop it: the message names its process. A push can wait for it with --lock-wait; a watch of its own needs --consumer.",
  },
  clock_ahead: {
    cause:
      "This machine's clock is far ahead of the service's. A price that is stamped with a time to come would beat every later one until then.",
    remedy:
      "Set the clock, best by network time. Only if the service's clock is the wrong one, push with --force.",
  },
  rows_unreadable: {
    cause:
      "--deactivate-missing takes products away that are not in the file, and some rows of the file have no code that can be read: their products may be there.",
    remedy: "Correct those rows; `bpos catalog check` names their lines.",
  },
  too_many_missing: {
    cause:
      "More products than --max-deactivate allows are not in the file. A file that was cut off while it was exported looks just like that.",
    remedy:
      "Look whether the file is complete. If so many are really gone, allow them with --max-deactivate.",
  },
  ref_taken: {
    cause:
      "Under one reference a person is messaged once, and this one belongs to a send of another template or language.",
    remedy: "Give this send a reference of its own with --ref.",
  },
  repeat_within_day: {
    cause: "Somebody in the file got the same template within the last 24 hours, under another reference.",
    remedy:
      "If you corrected a file, send it under the reference that the message names: then only new people get it. If it is meant, use --allow-repeat.",
  },
  nobody_to_test: {
    cause: "--test-to sends the message of the first usable row to a phone of yours, and no row is usable.",
    remedy: "Correct the rows; --dry-run lists what is wrong with each.",
  },
  send_open: {
    cause:
      "The send was interrupted before any of its calls was answered, so the service has given no campaign_id.",
    remedy: `\`bpos campaign resume\` sends the same calls with the same keys. ${nothingTwice}`,
  },
  repeat_held: {
    cause:
      "While this send waited to be finished, people of it got the same template under another reference. The calls with them were held back.",
    remedy:
      "Resume with --allow-repeat to message them all the same, or send the file again with those people in --exclude.",
  },
  repeat_held_unknown: {
    cause:
      "As repeat_held, and some of the calls that were held back had left before: nobody knows whether they arrived.",
    remedy: `Resume with --allow-repeat. The keys are the same, so a call that had arrived is not carried out again.`,
  },
  excluded_in_open: {
    cause:
      "Somebody in --exclude is in a call that may have left already. What that call says cannot be changed any more.",
    remedy: "Settle it with `bpos campaign resume`, which may message that person, then send the file again.",
  },
  journal_write_failed: {
    cause:
      "The journal could not be written after part of a push or a send had left: mostly the disk is full. The report says what the service took; the journal may hold less.",
    remedy: `Free space, then push the same file again, or run \`bpos campaign resume\`: what has no recorded answer goes out with the same id or key. ${nothingTwice}`,
  },
  too_late: {
    cause: "The time of --not-after came before everything had gone out. What was left was not sent.",
    remedy:
      "`bpos campaign list` shows who got it. To reach the others all the same, send the file again with the same --ref and a later --not-after.",
  },
  too_late_unknown: {
    cause: "The time of --not-after is over, and a call that left before it has no clear answer.",
    remedy:
      "Ask the people who run the service whether it arrived, or settle it: send the file again with the same --ref and a later --not-after.",
  },
  header_unusable: {
    cause:
      "The file of --header-url cannot be the header of a message: the wrong kind, too large, a web page around it, or at an address that the service cannot reach.",
    remedy:
      "The message says which it is. Open the URL in a private browser window: the file itself must open.",
  },
  header_unreachable: {
    cause:
      "The file of --header-url could not be fetched from this machine. That does not prove that it is wrong.",
    remedy: "Try again later, or send without looking at it first: --no-preflight.",
  },
  output_unwritable: {
    cause:
      "A file that was to be written, or standard output, took nothing: no folder, no permission, no room.",
    remedy:
      "Make it possible, or name another file. What was sent before that stays sent, and is in the journal.",
  },
  order_file_taken: {
    cause:
      "The folder of --out-dir has a file with this order's name that holds no order. bpos never writes over it.",
    remedy: "Move it away, or give bpos a folder of its own.",
  },
  exec_failed: {
    cause:
      "The command of --exec ended with another code than 0, took too long, or could not be started. The order counts as not handed on.",
    remedy:
      "Correct the command. The order is given to it again until it ends with 0, so it must bear getting one twice.",
  },
  port_busy: {
    cause: "Another program listens on this port.",
    remedy: "Stop it, choose another port with --port, or take any free one with --port 0.",
  },
  port_denied: {
    cause: "The system does not let this user listen on this port; mostly that is so below 1024.",
    remedy: "Choose a port from 1024 on, and let a reverse proxy or a tunnel lead to it.",
  },
  input_unreadable: {
    cause: "The file does not exist, is a folder, or may not be read by this user. Nothing was sent.",
    remedy: "Check its name and folder. A name with spaces needs quotation marks; - is standard input.",
  },
  input_unusable: {
    cause: "The file was read, and it is not what the command takes. Nothing was sent.",
    remedy:
      "The message says what is wrong and often which flag helps. `bpos catalog check` looks at a catalog without sending anything.",
  },
  rows_rejected_strict: {
    cause: "--strict sends all rows or none, and some cannot be used.",
    remedy: "Correct them, or leave out --strict: then the others are sent, and --rejected keeps these.",
  },
  order_not_found: {
    cause: "The order is in none of the eight states among this branch's orders.",
    remedy:
      "Check the number, and whether the key is of the branch that got the order: -p names another profile. The service may no longer list old orders.",
  },
  send_not_found: {
    cause: "The journal of this machine knows no send with this reference made with this key.",
    remedy:
      "Look at `bpos campaign list`. A send that was made elsewhere can be asked for by its campaign_id.",
  },
  expected_other_count: {
    cause:
      "The number of people who would be messaged is not the one of --expect, or not the one that was agreed to.",
    remedy: "See with --dry-run who is left out and why; then run it again with the right number.",
  },
  declined: {
    cause: "The question was answered with no. Nothing was sent.",
    remedy: "Run the command again when it is right.",
  },
  access_denied: {
    cause:
      "The service answered 401 or 403: the key is wrong, inactive or of another branch, or the store_id is not that of the key.",
    remedy:
      "Check which key is in use: BPOS_API_KEY goes before a profile, unless -p names one. If it is right, whoever runs the service must look at it.",
  },
  input_refused: {
    cause: "The service answered with a 4xx: it does not take what was sent. This call was not carried out.",
    remedy:
      "The answer says what it minds. With 404 check the address; for a campaign check the template, its language and its variables.",
  },
  unavailable: {
    cause:
      "The service did not answer, or said that it cannot now (408, 429, 5xx), and every retry ended so too. What was to be sent was not applied.",
    remedy: `Run it again later. ${nothingTwice} If it stays so, check the network, the proxy and the address.`,
  },
  unreadable_answer: {
    cause:
      "Something answered, but not as the service does: a web page, an empty or cut answer. It was only read from.",
    remedy:
      "Check the address: a company's proxy, a sign-in page of a Wi-Fi or another service may be answering. --verbose shows each call.",
  },
  outcome_unknown: {
    cause:
      "A request left and no clear answer came back: it may have been carried out. Every request carries a key, so the service carries the same one out once.",
    remedy: `For a push, run the same command again with the same file; for a campaign, \`bpos campaign resume\`. ${nothingTwice}`,
  },
  interrupted: {
    cause:
      "Ctrl-C, SIGTERM from the system, or a terminal that was closed (SIGHUP). bpos ends cleanly: what was done is written down.",
    remedy: "Run the command again, or `bpos campaign resume` for a send: it goes on where it was.",
  },
};
