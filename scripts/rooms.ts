// Draws who may import whom, from the rules of `.dependency-cruiser.mjs`, between two marks in CONTRIBUTING.md (`npm run docs`).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Rules {
  permissions: readonly { who: string; allowed: readonly string[] }[];
  doors: Readonly<Record<string, string>>;
  features: readonly string[];
  shared: readonly string[];
  leaves: readonly string[];
}

const root = join(import.meta.dirname, "..");
const rules = (await import(pathToFileURL(join(root, ".dependency-cruiser.mjs")).href)) as Rules;

/** Rooms that are one box: its id, its label and what is in it. */
const boxes = [
  { id: "line", label: "start, main, run-line, program, schemas" },
  { id: "library", label: "index: the package", rooms: ["index"] },
  { id: "features", label: rules.features.join(", ") },
  { id: "command", label: "mock: mock.ts, command", rooms: ["mock/mock", "mock/command"] },
  { id: "service", label: "mock: core, control, console, index.ts", rooms: ["mock", "mock/console"] },
].map(({ rooms, ...box }) => ({ ...box, rooms: rooms ?? box.label.split(", ") }));

/** The box of a room; a part of a room stands in the room's box. */
function boxOf(room: string): string {
  const known = boxes.find(({ rooms }) => rooms.includes(room));
  if (known !== undefined) return known.id;
  const [whole = room] = room.split("/");
  return whole === room ? room : boxOf(whole);
}

/** The box that an import leads to: for an import from another room, that of the door. */
function targetOf(who: string, room: string): string {
  const [whole = ""] = who.split("/");
  return boxOf(whole === room ? room : (rules.doors[room] ?? room));
}

const isLeaf = (room: string): boolean => rules.leaves.includes(room);
const drawn = rules.permissions.filter(({ who }) => !isLeaf(who));
const shared = [...new Set(rules.shared.filter((room) => !isLeaf(room)).map((room) => targetOf("", room)))];

/** The boxes that a box may import, of which those that it may import all are one. */
function targets(box: string): string[] {
  const found = new Set(
    drawn
      .filter(({ who }) => boxOf(who) === box)
      .flatMap(({ who, allowed }) =>
        allowed.filter((room) => !isLeaf(room)).map((room) => targetOf(who, room)),
      ),
  );
  found.delete(box);
  if (!shared.every((room) => found.has(room))) return [...found];
  return [...[...found].filter((room) => !shared.includes(room)), "shared"];
}

/** The rooms as a flowchart in the language of Mermaid. */
function flowchart(): string {
  const ids = [...new Set(drawn.flatMap(({ who }) => boxOf(who)))];
  const box = (id: string): string => {
    const label = boxes.find((each) => each.id === id)?.label;
    return label === undefined ? id : `${id}["${label}"]`;
  };
  return [
    "flowchart TD",
    ...ids.filter((id) => !shared.includes(id)).map((id) => `  ${box(id)}`),
    "  subgraph shared [shared parts]",
    ...shared.map((id) => `    ${box(id)}`),
    "  end",
    ...ids.flatMap((id) => targets(id).map((to) => `  ${id} --> ${to}`)),
  ].join("\n");
}

const [begin, end] = ["<!-- rooms: made by `npm run docs` -->", "<!-- end of rooms -->"];

/** CONTRIBUTING.md with the picture of today's rules. Throws where the marks are missing. */
export function contributingPage(): string {
  const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [before, rest] = page.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error("CONTRIBUTING.md has no marks for the rooms");
  const leaves = rules.leaves.map((room) => `\`${room}\``).join(", ");
  const text = `An arrow points to what a room may import at run time. Not shown, since almost every room may import them:\n${leaves}.`;
  return `${before}${begin}\n\n\`\`\`mermaid\n${flowchart()}\n\`\`\`\n\n${text}\n\n${end}${after}`;
}
