import { mock } from "./mock.ts";

/** The words of the page about the world and its faults. */
export const worldTexts = {
  faults: {
    effects: {
      "commit-status": {
        name: "A send is applied but answers 502",
        seen: "The call is applied, but its answer is an error: only the same idempotency_key or event_id makes a repeat safe.",
      },
      "commit-drop": {
        name: "Connection lost after a send",
        seen: "The call is applied, then the connection is reset: the client cannot know the outcome.",
      },
      drop: {
        name: "Connection lost before a send",
        seen: "The connection is reset and nothing is applied. To the client, this looks the same as a loss after the send.",
      },
      status: {
        name: "Service unavailable",
        seen: "The answer is an error and nothing is applied: the client retries, or gives up.",
      },
      delay: {
        name: "Slow answers, 3 s each",
        seen: "The answer comes late: a client with a shorter time limit gives up first.",
      },
      html: {
        name: "Error page of a proxy",
        seen: "502 with a page of HTML in place of JSON; nothing is applied.",
      },
      garbage: { name: "Garbage", seen: "200 with a body that is not JSON; nothing is applied." },
      truncate: {
        name: "Truncated answers",
        seen: "The call is applied, and half of its answer arrives before the connection ends.",
      },
      "retry-after": {
        name: "Too many requests",
        seen: "429 with Retry-After, and nothing is applied: the client waits as long as it says.",
      },
      shift: {
        name: "An order moves between two pages",
        seen: "After a page is read, its first order leaves the state, so the next page skips one.",
      },
      late: {
        name: "A late order",
        seen: "An order appears with a created_at in the past: a client that only asks for orders since its last poll misses it.",
      },
    },
    title: "Faults",
    hint: "Each switch arms a rule. For each request, the first matching rule that is not used up fires.",
    armed: "Armed",
    none: "No fault is armed: the service works.",
    rule: "Rule",
    matched: "Matched",
    fired: "Fired",
    usedUp: "used up",
    remove: "Remove",
    removeRule: (rule: string) => `Remove ${rule}`,
    removeAll: "Remove all",
    own: "Own rule",
    add: "Arm",
    added: "The fault is armed.",
    grammar: "A rule is",
  },
  world: {
    title: "World",
    tabs: { time: "Time", faults: "Faults", data: "Data" },
    clock: "Clock",
    frozen: "frozen: nothing happens by itself",
    running: (speed: number) => (speed === 1 ? "runs" : `runs ${speed} times as fast`),
    pace: "Speed",
    freeze: "Freeze",
    goOn: "Resume",
    advance: "Advance",
    steps: { minutes: (count: number) => `${count} min`, hour: "1 h", day: "1 day" },
    byMinutes: "Minutes",
    advanced: "The clock was advanced.",
    date: "Date",
    set: "Set",
    dateSet: "The clock is set.",
    clockHint:
      "As time passes, orders arrive and move on, and messages are read. An earlier date changes only the date.",
    scenario: "Scenario",
    seed: "Seed",
    worldId: "World",
    same: "the same",
    reset: "Reset…",
    resetLoses:
      "Start over? The orders, pushed products, campaigns, replies, faults and requests of this world are lost. An export keeps everything but the requests.",
    wasReset: "The mock has a new world.",
    export: "Export",
    import: "Import",
    importLoses:
      "Import this world? It replaces this one: its orders, pushed products, campaigns, replies, faults and requests are lost.",
    imported: "The world was imported.",
    exportHint:
      "An export is a JSON file with everything in this world: keep it, or show it on another machine. A reset without a seed keeps the current one.",
    connect: "Connect",
    key: "Key",
    keysHint: "Any other key is answered with 403.",
    templates: "Templates",
    templateWords: { states: mock.templates.states, headers: mock.templates.headers },
    columns: {
      name: "Name",
      languages: "Languages",
      header: "Header",
      params: "Params",
      state: "State",
      body: "Body",
    },
  },
};
