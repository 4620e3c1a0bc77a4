import type { CallState, JournalCall } from "../../journal/records/sends.ts";
import type { Transition } from "./call-tools.ts";
import { nameOf } from "./calls.ts";

/**
 * The states of a call in one run of a send, the events that move it, and the state after each. `planned`, `pending` and `answered` are what
 * the journal says before the run has done anything with the call. A run does nothing more with a call in one of the last four states.
 */
export const callTransitions = {
  /** In the journal; it has never left. */
  planned: {
    /** It may not leave yet: the start, its hours, the pace, or the canary. */
    waits: "planned",
    /** Somebody in it got the template under another reference after it was planned. */
    is_held: "planned",
    /** `--not-after` is over before it may leave, or its hours never come. */
    is_late: "planned",
    begins: "leaving",
  },
  /** It left in an earlier attempt, and its outcome is unknown. */
  pending: { waits: "pending", is_held: "pending", is_late: "pending", begins: "repeating" },
  /** An earlier run, or another process, has its answer. */
  answered: { is_reported: "replayed" },
  /** Under way; so far nothing of it has left. */
  leaving: {
    /** People opted out since it was planned: it leaves without them, under a new key. */
    loses_people: "leaving",
    /** Everybody in it opted out. */
    is_emptied: "removed",
    /** Another process attempted it meanwhile, or an attempt got no answer. */
    may_have_left: "repeating",
    /** Its hours ended, or something stopped the send. */
    is_postponed: "planned",
    /** The service refused it, or it was stopped before it left. */
    fails: "not_sent",
    is_answered: "sent",
  },
  /** Under way again with the same bytes and key: an attempt may have arrived. */
  repeating: {
    is_postponed: "pending",
    /** Somebody in it opted out, and a reply proved that it had arrived. */
    is_settled: "sent",
    /** Somebody in it opted out, and nothing proves that it had arrived: it cannot be sent again. */
    is_stuck: "unknown",
    is_unanswered: "unknown",
    is_answered: "sent",
  },
  sent: {
    /** The journal could not keep the answer: to the next run it has none. */
    is_not_kept: "unknown",
  },
  replayed: {},
  unknown: {},
  not_sent: {},
  removed: {},
} as const;

/** The states of a send in one run. */
export const sendTransitions = {
  /** Sends every call that may leave now. */
  sending: { waits: "waiting", is_stopped: "stopping", is_done: "ended" },
  /** The rest may not leave yet; other sends of the branch have the lock. */
  waiting: {
    goes_on: "sending",
    /** The run was interrupted, or another send met what every send would meet. */
    is_cut_off: "ended",
  },
  /** A failure or the canary stopped it: calls under way end, and no other begins. */
  stopping: { is_done: "ended" },
  ended: {},
} as const;

type CallTransitions = typeof callTransitions;
type SendTransitions = typeof sendTransitions;

export type RunState = keyof CallTransitions;
export type SendState = keyof SendTransitions;

type Observer = { onTransition?: ((transition: Transition) => void) | undefined };

const stateInJournal = {
  planned: "planned",
  attempted: "pending",
  sent: "answered",
} as const satisfies Record<CallState, RunState>;

/** The state of each call in one run, and the order in which the calls left. */
export class RunCalls {
  readonly #states = new Map<string, RunState>();

  stateOf(call: JournalCall): RunState {
    return this.#states.get(nameOf(call)) ?? stateInJournal[call.state];
  }

  /** Whether this run has not begun the call, nor reported it. */
  isOpen(call: JournalCall): boolean {
    return !this.#states.has(nameOf(call));
  }

  /** The state of a call that has begun and has not ended. */
  underWay(call: JournalCall): "leaving" | "repeating" {
    return this.#states.get(nameOf(call)) === "repeating" ? "repeating" : "leaving";
  }

  move<From extends RunState>(
    call: JournalCall,
    from: From,
    event: keyof CallTransitions[From] & string,
    { onTransition }: Observer,
  ): void {
    const name = nameOf(call);
    const was = this.stateOf(call);
    const to = callTransitions[from][event] as RunState;
    // A later round may begin it again, and it then counts among those that left later.
    if (to === "planned" || to === "pending") this.#states.delete(name);
    else this.#states.set(name, to);
    onTransition?.({ of: "call", name, was, from, event, to });
  }

  /** The place of each call in the order in which they left, by `send_id n`. */
  places(): ReadonlyMap<string, number> {
    return new Map([...this.#states.keys()].map((name, place) => [name, place]));
  }
}

/** Moves a send to its next state. */
export function moveSend<From extends SendState>(
  sending: { state: SendState; result: { report: { send_id: string } } },
  from: From,
  event: keyof SendTransitions[From] & string,
  { onTransition }: Observer,
): void {
  const was = sending.state;
  const to = sendTransitions[from][event] as SendState;
  sending.state = to;
  onTransition?.({ of: "send", name: sending.result.report.send_id, was, from, event, to });
}
