// The board of orders: what a person does with the cards, and what waits meanwhile.

const listCards = (part) => [...part.querySelectorAll("[data-order]")];
const collectIds = (cards) => new Set(cards.map(({ id }) => id));
const findColumn = ({ target }) => target?.closest?.("[data-state]") ?? null;

/** The latest content of each column that does not show it yet. */
const held = new Map();
let hovered = null;
let dragged = null;

/** The cards of a new content that its column lacks. What comes below all that it has is old, and only moved up. */
function findArrivals(column, next) {
  const before = collectIds(listCards(column));
  const cards = listCards(next);
  const known = cards.findLastIndex(({ id }) => before.has(id));
  const last = known >= 0 && next.querySelector(".older") ? known : cards.length;
  return cards.slice(0, last).filter(({ id }) => !before.has(id));
}

function show(column, next) {
  const fresh = collectIds(findArrivals(column, next));
  held.delete(column);
  htmx.swap(column, next.innerHTML, { swapStyle: "innerHTML" });
  for (const card of listCards(column)) card.classList.toggle("fresh", fresh.has(card.id));
  refocus();
}

/** Nothing moves: the count is the new one, the place of a card that is gone stays free, and a button brings the rest. */
function wait(column, next) {
  const cards = listCards(column);
  const ids = collectIds(listCards(next));
  const last = cards.findLastIndex(({ id }) => ids.has(id));
  for (const [n, card] of cards.entries()) {
    // The last one may only have moved down, out of what a column shows.
    if (ids.has(card.id) || (n > last && next.querySelector(".older"))) continue;
    card.dataset.gone = card.dataset.order;
    card.removeAttribute("data-order");
    card.removeAttribute("id");
    card.closest("li").inert = true;
  }

  column.querySelector(".count").textContent = next.querySelector(".count").textContent;
  const button = column.querySelector("[data-waiting]");
  const count = findArrivals(column, next).length;
  button.hidden = count === 0;
  button.textContent = sentence(button, count);
}

/** `data-one` or `data-many` of an element, filled. */
const sentence = ({ dataset }, count, last = "") =>
  (count === 1 ? dataset.one : dataset.many).replace("{count}", count).replace("{last}", last);

/** Shows what is held of a column, unless it would slide under a person's eyes or pointer. */
function settle(column) {
  const next = held.get(column);
  if (dragged || !next) return;
  const isRead = column === hovered || column.scrollTop > 0;
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
const settleAtTop = ({ target }) => {
  if (target.scrollTop <= 0) settle(target);
};
body.addEventListener("scroll", settleAtTop, { capture: true, passive: true });
body.addEventListener("click", (event) => {
  if (!event.target.closest("[data-waiting]")) return;
  const column = findColumn(event);
  show(column, held.get(column));
  column.scrollTop = 0;
  listCards(column)[0]?.focus();
});

/** Formats an age as the server does. */
function formatAge(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 24 / 60)} d`;
}

// Ages follow the world's clock, which the head shows at each of its seconds.
body.addEventListener("htmx:sseMessage", ({ target }) => {
  if (target.id !== "status") return;
  const now = Date.parse(target.querySelector("time").dateTime);
  for (const time of document.querySelectorAll("[data-born]")) {
    const age = formatAge(now - time.dataset.born);
    if (time.textContent !== age) time.textContent = age;
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
