// The board of orders: what a person does with the cards, and what waits meanwhile.

const listCards = (part) => [...part.querySelectorAll("[data-order]")];
const collectIds = (cards) => new Set(cards.map(({ id }) => id));
const findColumn = ({ target }) => target?.closest?.("[data-state]") ?? null;

/** The latest content of each column that does not show it yet. */
const held = new Map();
let hovered = null;
let dragged = null;

/** The cards of a part: the oldest and, below a link to those between, the newest. */
function listRows(part) {
  const [head = [], tail = []] = [...part.querySelectorAll(".cards")].map(listCards);
  return { head, tail, hides: part.querySelector(".hidden-orders") !== null };
}

/** The cards of a new content that its column lacks. One at the edge of those between only comes out of them. */
function findArrivals(column, next) {
  const before = collectIds(listCards(column));
  const isKnown = ({ id }) => before.has(id);
  const { head, tail, hides } = listRows(next);
  const end = hides ? head.findLastIndex(isKnown) + 1 : head.length;
  const start = hides ? Math.max(0, tail.findIndex(isKnown)) : 0;
  return [...head.slice(0, end), ...tail.slice(start)].filter((card) => !isKnown(card));
}

/** True if every card keeps its place: what is new comes below all others. */
function keepsPlaces(column, next) {
  const after = listCards(next);
  return listCards(column).every(({ id }, n) => after[n]?.id === id) && !column.querySelector("[data-gone]");
}

function show(column, next) {
  const fresh = collectIds(findArrivals(column, next));
  const below = collectIds(listBelow(column));
  const { scrollTop } = column;
  held.delete(column);
  htmx.swap(column, next.innerHTML, { swapStyle: "innerHTML" });
  column.scrollTop = scrollTop;
  for (const card of listCards(column)) {
    card.classList.toggle("fresh", fresh.has(card.id));
    card.toggleAttribute("data-unseen", below.has(card.id) || fresh.has(card.id));
  }
  refocus();
  point(column);
}

/** The new cards of a column that nobody has seen: they are below its edge. */
function listBelow(column) {
  const { bottom } = column.getBoundingClientRect();
  const cards = [...column.querySelectorAll("[data-unseen]")];
  for (const card of cards)
    if (card.getBoundingClientRect().top < bottom - 24) card.removeAttribute("data-unseen");
  return cards.filter((card) => card.hasAttribute("data-unseen"));
}

/** The button of a column: how many new orders are held, or are below its edge. */
function point(column) {
  const button = column.querySelector("[data-waiting]");
  const next = held.get(column);
  const count = listBelow(column).length + (next ? findArrivals(column, next).length : 0);
  button.hidden = count === 0;
  button.textContent = sentence(button, count);
}

/** Nothing moves: the count is the new one, the place of a card that is gone stays free, and a button brings the rest. */
function wait(column, next) {
  const ids = collectIds(listCards(next));
  const { head, tail } = listRows(column);
  const { hides } = listRows(next);
  const last = head.findLastIndex(({ id }) => ids.has(id));
  const first = tail.findIndex(({ id }) => ids.has(id));
  // One at the edge of those between may only have gone among them.
  const edges = hides ? [...head.slice(last + 1), ...tail.slice(0, Math.max(0, first))] : [];
  for (const card of [...head, ...tail]) {
    if (ids.has(card.id) || edges.includes(card)) continue;
    card.dataset.gone = card.dataset.order;
    card.removeAttribute("data-order");
    card.removeAttribute("id");
    card.closest("li").inert = true;
  }

  column.querySelector(".count").textContent = next.querySelector(".count").textContent;
  point(column);
}

/** `data-one` or `data-many` of an element, filled. */
const sentence = ({ dataset }, count, last = "") =>
  (count === 1 ? dataset.one : dataset.many).replace("{count}", count).replace("{last}", last);

/** Shows what is held of a column, unless its cards would slide under a person's eyes or pointer. */
function settle(column) {
  const next = held.get(column);
  if (dragged || !next) return;
  const isRead = (column === hovered || column.scrollTop > 0) && !keepsPlaces(column, next);
  // The order that has the focus was moved here by a person.
  const isAwaited = focused !== "" && [...collectIds(findArrivals(column, next))].includes(focused);
  if (isRead && !isAwaited && column.querySelector(".card")) wait(column, next);
  else show(column, next);
}

const settleAll = () => [...held.keys()].forEach(settle);

/** The world that a column shows; by world, the highest number of an order that came. */
const shownWorlds = new Map();
const newest = new Map();
const arrived = { count: 0, element: document.getElementById("arrived") };

/** Tells who does not see the board of new orders: of those of a second at once. */
function announce(count, last) {
  if (count === 0) return;
  if (arrived.count === 0)
    setTimeout(() => {
      const text = sentence(arrived.element, arrived.count, arrived.last);
      arrived.element.textContent = text;
      body.dispatchEvent(new CustomEvent("bpos:arrived", { detail: text }));
      arrived.count = 0;
    }, 1_000);
  arrived.count += count;
  arrived.last = last;
}

body.addEventListener("htmx:sseBeforeMessage", (event) => {
  const column = event.target;
  if (column.dataset.state === undefined) return;
  event.preventDefault();
  const { data, lastEventId: world } = event.detail;
  const next = new DOMParser().parseFromString(data, "text/html").body;
  const before = newest.get(world) ?? 0;
  const numbers = listCards(next).map(({ dataset }) => Number(dataset.order));
  const last = Math.max(before, ...numbers);
  newest.set(world, last);
  held.set(column, next);
  const shown = shownWorlds.get(column);
  shownWorlds.set(column, world);
  if (shown === world) announce(numbers.filter((number) => number > before).length, last);
  if (shown === world || shown === undefined) return settle(column);
  // Another world has nothing that is worth waiting for; what was held is gone, and nobody would hear where it is dropped.
  endDrag();
  show(column, next);
});

for (const [type, end] of [
  ["pointerover", "target"],
  ["pointerout", "relatedTarget"],
])
  body.addEventListener(type, (event) => {
    hovered = findColumn({ target: event[end] });
    // The click of a tap comes after its pointer has left.
    if (held.size > 0) setTimeout(settleAll, 100);
  });
const onScroll = ({ target }) => {
  if (target.dataset?.state === undefined) return;
  if (target.scrollTop <= 0) settle(target);
  point(target);
};
body.addEventListener("scroll", onScroll, { capture: true, passive: true });
body.addEventListener("click", (event) => {
  if (!event.target.closest("[data-waiting]")) return;
  const column = findColumn(event);
  const next = held.get(column);
  if (next) show(column, next);
  const [card] = listBelow(column);
  (card ?? column.querySelector(".fresh"))?.focus();
});

/** Formats an age as the server does. */
function formatAge(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 24 / 60)} d`;
}

/** Names how long an order has waited as the server does. */
const nameWait = (ms) => (ms < 5 * 60_000 ? "fresh" : ms < 10 * 60_000 ? "waiting" : "late");

// Ages follow the world's clock, which the head shows at each of its seconds.
body.addEventListener("htmx:sseMessage", ({ target }) => {
  if (target.id !== "status") return;
  const now = Date.parse(target.querySelector("time").dateTime);
  for (const time of document.querySelectorAll("[data-born]")) {
    const ms = now - time.dataset.born;
    const age = formatAge(ms);
    if (time.textContent === age) continue;
    time.textContent = age;
    time.closest("[data-order]")?.setAttribute("data-wait", nameWait(ms));
  }
});

// Orders: by mouse from column to column, by keys from state to state.
let moves = Promise.resolve();

/** One move after the other. Not by htmx, which drops what an element asks for that is no longer in the page. */
function move(card, column) {
  if (!column || column.contains(card)) return;
  const { order, done } = card.dataset;
  const headers = { "Content-Type": "application/json" };
  const change = { method: "PATCH", headers, body: JSON.stringify({ status: column.dataset.state }) };
  moves = moves.then(async () => {
    const answer = await fetch(`/_mock/orders/${order}`, change).catch(() => null);
    const text = (await answer?.text()) ?? "";
    if (!answer?.ok) return say(readProblem(text), true);
    say(done.replace("{status}", column.dataset.name));
    // A column that waits closes up behind it.
    for (const each of document.querySelectorAll(`[data-order="${order}"], [data-gone="${order}"]`))
      if (!column.contains(each)) each.closest("li").remove();
  });
}

body.addEventListener("dragstart", ({ target, dataTransfer }) => {
  dragged = target.closest?.("[data-order]");
  if (dragged) dataTransfer.effectAllowed = "move";
});
body.addEventListener("dragover", (event) => {
  if (!dragged) return;
  const column = findColumn(event);
  // No pointer events tell it during a drag, nor, in some browsers, after it.
  hovered = column;
  for (const each of document.querySelectorAll("[data-state]"))
    each.classList.toggle("target", each === column);
  if (column) event.preventDefault();
});
body.addEventListener("drop", (event) => {
  event.preventDefault();
  if (dragged) move(dragged, findColumn(event));
});
function endDrag() {
  dragged = null;
  for (const each of document.querySelectorAll(".target")) each.classList.remove("target");
}
body.addEventListener("dragend", () => {
  endDrag();
  settleAll();
});

/** The card that an arrow key leads to. */
function cardBeside(card, key) {
  const columns = [...document.querySelectorAll("[data-state]")].map(listCards);
  const x = columns.findIndex((cards) => cards.includes(card));
  const y = columns[x]?.indexOf(card) ?? 0;
  if (key === "ArrowUp" || key === "ArrowDown") return columns[x]?.[key === "ArrowUp" ? y - 1 : y + 1];
  const others = key === "ArrowLeft" ? columns.slice(0, x).reverse() : columns.slice(x + 1);
  const cards = others.find(({ length }) => length > 0);
  return cards?.[Math.min(y, cards.length - 1)];
}

body.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
  const card = event.target.closest("[data-order]");
  const key = CSS.escape(event.key.toLowerCase());
  const shortcut = (dialog.open ? dialog : document).querySelector(`[data-key="${key}"]`);
  shortcut?.focus();
  if (shortcut?.matches("input")) shortcut.select();
  else if (shortcut) shortcut.click();
  else if (card && /^[1-8]$/.test(event.key))
    move(card, document.querySelectorAll("[data-state]")[Number(event.key) - 1]);
  else if (card && event.key.startsWith("Arrow")) cardBeside(card, event.key)?.focus();
  else return;
  event.preventDefault();
});
