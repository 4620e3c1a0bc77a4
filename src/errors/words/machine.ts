import type { ErrorFacts } from "../../errors.ts";
import { fileName } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { detailWords, execEndWords, programWords } from "./details.ts";
import { copyWords } from "./journal.ts";
import { layoutWords } from "./layout.ts";
import { printerProblemNext, printerProblemWords } from "./printer.ts";
import { about, type Reasons } from "./reason.ts";
import { worldWords } from "./world.ts";

/** How the command of --exec ended, and what it wrote last. */
function execWhat(facts: ErrorFacts["exec_failed"], t: T): string {
  const ended = `${programWords(facts, t)} ${execEndWords(facts, t)}`;
  return facts.detail === "" ? `${ended}.` : about(ended, facts.detail, t);
}

/** Reasons of outputs of orders. */
const outputReasons = {
  output_unwritable: (t) => ({
    more: t("A file or standard output could not be written. Everything sent before that is in the journal."),
    say: ({ file: name, detail: why, isOwn }) => {
      const [file, detail] = [fileName(name, t), detailWords(why, t)];
      return isOwn
        ? {
            what: t("{file} could not be written: {detail}.", { file, detail }),
            next: t("Check permissions and free space, or name another folder with BPOS_HOME."),
          }
        : {
            what: t("{file} could not be written: {detail}. Everything sent before that is in the journal.", {
              file,
              detail,
            }),
            next: t("Check that its folder exists, its permissions and the free disk space."),
          };
    },
  }),

  order_file_taken: (t) => ({
    why: t("bpos never overwrites an order file."),
    next: t("Move that file away, or choose another folder with --out-dir: bpos then writes the order."),
    say: ({ file }) => ({ what: t("{file} exists and does not contain this order.", { file }) }),
  }),

  exec_failed: (t) => ({
    more: t(
      "The --exec command exited with a code other than 0, took too long or could not be started. bpos runs it again for the order until it exits with 0, so it must tolerate duplicates.",
    ),
    say: (facts) => {
      const { orderId, timedOutMs } = facts;
      return {
        what: execWhat(facts, t),
        next: t(
          timedOutMs === null
            ? "Fix the command or what it depends on. bpos runs it again for order {orderId} until it exits with 0."
            : "Make the command faster, or allow more time with --exec-timeout. bpos runs it again for order {orderId} until it exits with 0.",
          { orderId },
        ),
      };
    },
  }),

  printer_failed: (t) => ({
    more: t(
      "The printer could not be reached, is out of paper, has its cover open or closed the connection, or its device or queue refused the data. A watch prints the order again, marked REPRINT if part of it might be printed already.",
    ),
    say: ({ printer, problem: why, maybe }) => {
      const problem = about(printer, printerProblemWords(why, t), t);
      return {
        what: t(maybe ? "{problem} Part of it might be printed." : "{problem} Nothing was printed.", {
          problem,
        }),
        next: printerProblemNext(why, t),
      };
    },
  }),

  layout_unusable: (t) => ({
    more: t(
      "A receipt layout has an unknown key or value, its logo cannot be printed, or it lacks a part that the kitchen needs.",
    ),
    say: ({ file, problem }) => {
      const { what, next } = layoutWords(problem, t);
      return { what: about(file, what, t), next };
    },
  }),
} satisfies Partial<Reasons>;

/** Reasons of ports: a mock, and `campaign listen`. */
const portReasons = {
  port_busy: (t) => ({
    next: t("Stop that program, or choose another port (0 takes any free one)."),
    more: t(
      "Another program, perhaps another bpos, uses this port. `lsof -i :PORT` shows which one (on Windows `netstat -ano`).",
    ),
    say: ({ host, port, pid }) =>
      pid === null
        ? {
            what: t("Port {port} on {host} is in use.", { port, host }),
            why: t(
              "Another program, perhaps another bpos, uses this port. `lsof -i :{port}` shows which one (on Windows `netstat -ano`).",
              { port },
            ),
          }
        : {
            what: t("Port {port} on {host} is in use by process {pid}.", { port, host, pid }),
            why: t("It might be another bpos."),
          },
  }),

  port_denied: (t) => ({
    why: t("Ports below 1024 are usually reserved for the administrator."),
    next: t("Choose port 1024 or higher, and forward to it from a reverse proxy or a tunnel."),
    say: ({ host, port }) => ({
      what: t("No permission to listen on port {port} of {host}.", { port, host }),
    }),
  }),
} satisfies Partial<Reasons>;

/** Reasons of this machine: permissions, memory, files that exist. */
export const machineReasons = {
  ...outputReasons,
  ...portReasons,

  memory_short: (t) => ({
    why: t(
      "The memory limit of the process is too low (`ulimit -v`, a container, a hosting plan), or the machine is out of memory. This is not a network problem. Work in progress is in the journal.",
    ),
    next: t(
      "Raise the limit, or set NODE_OPTIONS=--disable-wasm-trap-handler if only address space is limited (`ulimit -v`). Then run the command again.",
    ),
    say: ({ detail = "" }) => ({
      what: t("bpos has too little memory: {detail}.", { detail: detailWords(detail, t) }),
    }),
  }),

  copy_refused: (t) => ({
    why: t("A copy must be complete and the only journal in use. Otherwise people could be messaged twice."),
    more: t(
      "`bpos journal copy` needs a journal that no process is using, and a database that is empty or has an unfinished copy of it.",
    ),
    say: ({ to, problem }) => {
      const { what, next } = copyWords(problem, t);
      return { what: about(to, what, t), next };
    },
  }),

  world_unusable: (t) => ({
    why: t("The mock keeps its world in this file. It contains no real orders."),
    say: ({ file, problem }) => {
      const { what, next } = worldWords(problem, t);
      return { what: about(file, what, t), next };
    },
  }),
} satisfies Partial<Reasons>;
