import type { ClientCertProblem, Detail, WorldProblem } from "../../errors/problems.ts";
import {
  detailWords as detailIn,
  execEndWords as execEndIn,
  programWords as programIn,
} from "../../errors/words/details.ts";
import type { CaFileProblem, ExecEnd } from "../../errors.ts";
import { textsIn } from "../../texts/texts.ts";
import { failedWords, knownOfCalls, mustWaitWords } from "../shared/calls.ts";
import { type CallReason, defineReasons } from "../shared/errors.ts";
import { advice } from "../template.ts";

const t = textsIn("en");
export const detailWords = (detail: Detail): string => detailIn(detail, t);
export const execEnd = (end: ExecEnd): string => execEndIn(end, t);
export const program = (facts: { program: string; outputNumber: number }): string => programIn(facts, t);

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network = {
  attempt: (request: string, attempt: number) => (attempt === 1 ? request : `${request}, attempt ${attempt}`),
  answer: (status: number, request: string) => `${status} to ${request}`,
  via: (proxy: string) => `through the proxy ${proxy}`,
  more: (characters: number) => `… ${characters} more characters are not shown`,
  masked: "Values of persons are masked (…): put them back before you run this.",
};

/** What is wrong with a file of certificates, as part of a sentence, and what to do next. */
export const caFileWords = advice<CaFileProblem>()({
  unreadable: { what: "{detail}", next: "Check the name and the permissions of the file." },
  no_certificate: {
    what: "no certificate in PEM form (-----BEGIN CERTIFICATE-----)",
    next: "Get the CA's certificate as PEM. `openssl x509 -inform der -in FILE -out ca.pem` converts one in DER form (.cer, .der).",
  },
  broken_certificate: {
    what: "certificate {number} cannot be read: {detail}",
    next: "Get the file again: it may have been truncated or changed.",
  },
});

/** What is wrong with a client certificate or its key, as part of a sentence, and what to do next. */
export const clientCertWords = advice<ClientCertProblem>()({
  unreadable: { what: "{detail}", next: "Check the name and the permissions of the file." },
  no_certificate: {
    what: "no certificate in PEM form (-----BEGIN CERTIFICATE-----)",
    next: "Get the certificate as PEM. `openssl pkcs12 -in FILE -clcerts -nokeys -out cert.pem` takes it out of a .p12 or .pfx file.",
  },
  no_key: {
    what: "no private key in PEM form",
    next: "Get the key as PEM. `openssl pkcs12 -in FILE -nocerts -nodes -out key.pem` takes it out of a .p12 or .pfx file.",
  },
  key_encrypted: {
    what: "the key is encrypted, and bpos asks for no passphrase",
    next: "Decrypt it into a file that only you can read: `(umask 077; openssl pkey -in {file:shell} -out key.pem)`. Then pass that one.",
  },
  broken: {
    what: "it cannot be read: {detail}",
    next: "Get the file again: it may have been truncated or changed.",
  },
  key_of_other: {
    what: "this is not the key of the certificate in {cert}",
    next: "Pass the key that the certificate was made for, or the certificate of this key.",
  },
  half: {
    what: "the profile has {setting} and no {other}",
    next: "Set both in the profile, or pass --client-cert and --client-key.",
  },
});

/** What to do about a service that does not accept the client certificate, or got none. */
export const clientCertNext =
  "The service wants a client certificate: pass --client-cert FILE and --client-key FILE, or set client_cert and client_key in the profile. If you do, ask whoever runs the service which certificate it accepts; `bpos doctor` shows when yours ends.";

/** What to do about a certificate that is not accepted. */
export const untrustedNext =
  "In a network with its own CA, pass that CA's certificate with --ca-file FILE or NODE_EXTRA_CA_CERTS. Otherwise check the address and this machine's clock: somebody may be listening in.";

const known = knownOfCalls({
  detail: detailWords,
  failed: failedWords({
    isForTime:
      "Reading the service's time before sending, {endpoint} at {origin}[ after {attempts} attempts]: {said}.",
    else: "{endpoint} at {origin}[ after {attempts} attempts]: {said}.",
  }),
  mustWait: mustWaitWords("the service asks to wait {waitS} s, and bpos waits at most {maxWaitS} s"),
  noAnswer: "no answer",
});

/** What the service, the network or a signal ends. */
export const callErrors = defineReasons<CallReason>()(known)({
  access_denied: {
    what: {
      storeId: 'The service does not accept this key with the store_id "{storeId}".',
      else: "The service does not accept this key.",
    },
    next: {
      storeId:
        "Correct the store_id or leave it out (--store-id, or store_id in the profile): it must be that of the key's branch. Then check the key: BPOS_API_KEY, or the profile named with -p.",
      else: "The key is invalid, inactive or belongs to another branch. Check BPOS_API_KEY or the profile named with -p, or rehearse with --mock.",
    },
    more: "The service answered 401 or 403: the key is wrong, inactive or belongs to another branch, or the store_id is not that of the key. Check which key is in use: BPOS_API_KEY takes precedence over a profile, unless -p names one.",
  },
  input_refused: {
    what: {
      template: "No template {template} for this key.",
      else: "The service refused {endpoint} with {answered}.",
    },
    next: {
      clientCert: clientCertNext,
      refused: {
        template:
          "This call was not sent. Check the exact name, or --template-id, and that it is approved for this branch (-p NAME): whoever manages the templates on the platform sees them all.",
        path: "Check --base-url and --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) and their paths.",
        campaign_id:
          "Check the campaign_id, and that the campaign was sent with this key: the service does not show those of other branches.",
        campaign_size:
          "This call was not sent: it is too large. Ask whoever runs the service or a proxy for the limit.",
        campaign:
          "This call was not sent. Check the template's exact name, its approval, --language, the number of variables in --params (none: --params '') and, for an image, video or document, --header-url.",
        product_size:
          "Even one product alone is too large: shorten its longest text. If it is short, ask whoever runs the service or a proxy for the limit.",
        other: "Correct what the service names and run the command again.",
      },
    },
    more: "The service answered with a 4xx: it refused what was sent, and this call was not carried out. Its answer says why. With 404 check the address; for a campaign check the template, its language and its variables.",
  },
  campaign_not_found: {
    what: "No campaign {campaignId} for this key.",
    next: "Check the id (`bpos campaign list` shows those sent from this machine) and the branch (-p NAME): the service shows a campaign only to the key that sent it. With a phone: `bpos campaign find PHONE`.",
    more: "The service has no campaign of that id for this key. `bpos campaign list` shows the ids of what was sent from this machine; -p NAME asks with the key of another branch, since the service shows a campaign only to the key that sent it. `bpos campaign find PHONE` starts from a phone.",
  },
  unavailable: {
    what: {
      proxyUrl: "The proxy {proxyUrl} did not let {endpoint} through.",
      status: "The service answered {endpoint} with {answered}.",
      else: "No usable answer from {origin}.",
    },
    next: {
      proxyState: {
        wrong_password:
          "Correct the user name or password in {variable}; special characters are percent-encoded there.",
        no_password:
          "The proxy needs a user name and password: set {variable} to http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded.",
        not_allowed:
          "The proxy does not allow that address: ask whoever runs it, or list the service's host in NO_PROXY.",
        down: "Check the address in {variable} and that the proxy runs, or list the service's host in NO_PROXY. Rerunning is safe: nothing is applied twice.",
      },
      clientCert: clientCertNext,
      untrusted: untrustedNext,
      isElsewhere:
        "The address is not the service's: correct --base-url or --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL).",
      else: "Rerunning is safe: nothing is applied twice. Try again later; if it persists, check the network, the proxy and the address.",
    },
    more: "The service did not answer, or answered that it is unavailable (408, 429, 5xx), even after every retry. The request was not applied. Run the command again later: nothing is sent or applied twice.",
  },
  unreadable_answer: {
    what: "The answer to {endpoint} is not the service's.",
    next: "Check the address, and that no proxy or sign-in page answers in its place. Rerunning is safe; --verbose shows each request.",
    more: "Something answered, but not as the service does: a web page, an empty or truncated answer. The request only read.",
  },
  outcome_unknown: {
    what: "Unknown outcome: {endpoint} may or may not have been carried out.",
    why: {
      refusal: "{refusal} An earlier attempt may have arrived, so this refusal proves nothing.",
    },
    next: {
      unsettled: {
        campaign: "{resume} settles it with the same keys: nobody is messaged twice.",
        campaign_key:
          "Correct what the service refuses: the key, then run {resume}; or ask whoever runs the service whether the call arrived.",
        campaign_refused:
          "Correct what the service refuses: the template or the header file, then run {resume}; or ask whoever runs the service whether the call arrived.",
        key: 'The service refuses the key[ or the store_id "{storeId}"] now, but an earlier attempt may have been applied. Correct that, then run the same command again: it continues.',
        later:
          "Try again later. Run the same command again with the same file or codes: it continues with the same event ids, and nothing is applied twice.",
        refused:
          "The service refuses this batch now, but an earlier attempt may have been applied. Correct the file and push it: a changed file begins a new push with later stamps.",
        catalog:
          "Run the same command again with the same file or codes: it continues with the same event ids, and nothing is applied twice.",
      },
    },
    more: "A request was sent and its outcome is unknown. Every request carries a key, and the service carries out the same key once. For a push, run the same command again with the same file; for a campaign, `bpos campaign resume`: nothing is sent or applied twice.",
  },
  interrupted: {
    what: {
      during: {
        work: "Stopped before the end, by Ctrl-C or a signal. What was sent is in the journal; the outcome of a request in progress is unknown.",
        setup: "Stopped by Ctrl-C or a signal. No profile was changed.",
        printing: "Stopped by Ctrl-C or a signal. The receipt may be on paper, whole or in part.",
        upkeep: "Stopped by Ctrl-C or a signal. The work is partly done.",
        reading: "Stopped by Ctrl-C or a signal. Not everything was read yet.",
        else: "Stopped by Ctrl-C or a signal.",
      },
    },
    next: {
      during: {
        unsent: "Run the command again.",
        setup: "Run the command again.",
        printing: "Look at the printer, and run the command again if the receipt is not there.",
        upkeep: "Run the same command again to continue.",
        reading: "Run the command again: it changes nothing.",
        watch: "Run it again to continue: bpos then delivers the orders that arrived meanwhile, none twice.",
        listen:
          "Run it again to continue: bpos then delivers the replies that it had accepted but not delivered.",
        work: {
          resume: "{resume} continues: nobody is messaged twice.",
          else: "Run the same command again to continue: nothing is applied or sent twice.",
        },
      },
    },
    more: "Ctrl-C, SIGTERM, or a terminal that was closed (SIGHUP). What was done is in the journal. Run the command again, or `bpos campaign resume` for a send: it continues.",
  },
});

const elsewhere = "Name another file, or move this one away to begin a new world.";

/** What is wrong with the file of the mock's world, as part of a sentence, and what to do next. */
export const worldWords = advice<WorldProblem>()({
  not_a_file: { what: "not a regular file", next: "Name a file." },
  not_sqlite: { what: "not an SQLite file, left as it is", next: elsewhere },
  other_program: { what: "a database of another program, left as it is", next: "Name another file." },
  newer: { what: "written by a newer bpos", next: `Update bpos. ${elsewhere}` },
  outdated: { what: "written by an older bpos, which this one does not read", next: elsewhere },
  busy: {
    what: "another process has been writing to it for 10 s",
    next: "Stop that process, or name another file.",
  },
  damaged: { what: "damaged ({said})", next: elsewhere },
  unwritable: {
    what: "cannot be written ({said})",
    next: "Check permissions and free space, or name another file; BPOS_HOME sets another folder for the world of --mock.",
  },
  other_world: {
    what: ({ of }) => `a world of another ${of.join(" and ")}`,
    next: "Leave that flag out, empty the world with `bpos mock reset`, or name another file.",
  },
});
