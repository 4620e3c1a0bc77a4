// The screen on the wall: what the watch sends, ages, the sound, and by itself whether it is blind.

const { body } = document;
const find = (id) => document.getElementById(id);
const list = find("orders");
const lateMs = Number(body.dataset.late);
const maxAgeMs = Number(body.dataset.maxAge);
const silentMs = 4_000;
const ringEveryMs = 4_000;
const minuteMs = 60_000;

const show = (element, isShown) => {
  element.hidden = !isShown;
};
const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

// The server's time: this device's clock may be wrong, or be set while the page is open.
let served = { now: Number(body.dataset.now), at: performance.now() };
const now = () => served.now + performance.now() - served.at;

let heardAt = performance.now();
let isLost = false;
/** Of each branch its last poll, and how old that was when this page first heard of it, by the page's own clock. */
let polls = [];
const pollAgeMs = ({ oldMs, seenAt }) => oldMs + performance.now() - seenAt;

// --- The sound. A browser plays one once a person has touched the page; one of a kiosk may do so at once.
const speaker = new AudioContext();
let rangAt = Number.NEGATIVE_INFINITY;

function ring() {
  rangAt = performance.now();
  for (const [n, frequency] of [880, 660, 880].entries()) {
    const tone = speaker.createOscillator();
    const volume = speaker.createGain();
    const from = speaker.currentTime + n * 0.18;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.6, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.35);
    tone.connect(volume).connect(speaker.destination);
    tone.start(from);
    tone.stop(from + 0.35);
  }
}

const showSound = () => show(find("sound"), speaker.state !== "running");
speaker.addEventListener("statechange", showSound);
for (const kind of ["pointerdown", "keydown"])
  addEventListener(kind, () => {
    if (speaker.state !== "running") speaker.resume().then(update);
  });

// --- What the server sends.
const ringing = () => [...list.querySelectorAll('[data-rings="true"]')];
let touchedAt = Number.NEGATIVE_INFINITY;
let followedAt;
/** A television is touched by nobody: it shows what is new, and then what has waited longest. */
const followMs = 15_000;

function draw({ ids, cards }) {
  const before = new Set(ringing().map(({ id }) => id));
  const focused = document.activeElement?.closest?.(".card")?.id;
  for (const [id, html] of Object.entries(cards)) {
    const made = document.createElement("template");
    made.innerHTML = html;
    const old = find(id);
    if (old === null) list.append(made.content);
    else old.replaceWith(made.content);
    // Who works with keys goes on where they were.
    if (id === focused) find(id).querySelector("button")?.focus({ preventScroll: true });
  }
  for (const card of [...list.children]) if (!ids.includes(card.id)) card.remove();
  for (const [n, id] of ids.entries()) {
    const card = find(id);
    if (list.children[n] !== card) list.insertBefore(card, list.children[n]);
  }

  const many = ids.length <= 3 ? "few" : ids.length <= 8 ? "some" : "many";
  if (list.dataset.many !== many) list.dataset.many = many;
  show(find("none"), ids.length === 0);
  const fresh = ringing().find(({ id }) => !before.has(id));
  update();
  if (fresh === undefined) return;
  if (speaker.state === "running") ring();
  if (performance.now() - touchedAt < followMs) return;
  fresh.scrollIntoView({ block: "nearest" });
  followedAt = performance.now();
}

function tick(sent) {
  if (sent.build !== body.dataset.build) return location.reload();
  served = { now: sent.now, at: performance.now() };
  polls = sent.polls.map(([name, at, shown], n) => {
    if (polls[n]?.at === at) return polls[n];
    // One that nobody has polled yet is as old as the page.
    return {
      name,
      at,
      shown,
      oldMs: at === null ? 0 : Math.max(0, sent.now - at),
      seenAt: performance.now(),
    };
  });
  write(find("clock"), sent.time);
  update();
}

let source;
let connectedAt;
function connect() {
  source?.close();
  connectedAt = performance.now();
  source = new EventSource(`events${location.search}`);
  const on = (name, hear) =>
    source.addEventListener(name, ({ data }) => {
      heardAt = performance.now();
      isLost = false;
      hear(JSON.parse(data));
    });
  on("orders", draw);
  on("tick", tick);
  source.addEventListener("error", () => {
    isLost = true;
    update();
  });
}

/** A stream that was refused, or is dead without knowing it, is opened anew; without the PIN there is none. */
async function reconnect() {
  connectedAt = performance.now();
  const answer = await fetch(`events${location.search}`, { method: "HEAD" }).catch(() => undefined);
  if (answer?.status === 401) location.reload();
  else if (answer?.ok) connect();
}

// --- What only time changes.
function formatAge(ms) {
  const minutes = Math.max(0, Math.floor(ms / minuteMs));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return body.dataset.minutes.replace("{n}", minutes);
  return body.dataset.hours.replace("{h}", hours).replace("{n}", minutes % 60);
}

function showBlind() {
  const sorted = [...polls].sort((one, other) => pollAgeMs(other) - pollAgeMs(one));
  const old = sorted.filter((poll) => pollAgeMs(poll) > maxAgeMs);
  show(find("lost"), isLost);
  show(find("old"), !isLost);
  write(find("which"), polls.length > 1 ? old.map(({ name }) => name).join(", ") : "");
  write(find("polled"), sorted[0]?.shown ?? "—");
  show(find("blind"), isLost || old.length > 0);
}

function update() {
  const at = now();
  const rings = ringing();
  for (const card of list.children) {
    const ageMs = at - Number(card.dataset.since);
    write(card.querySelector("time"), formatAge(ageMs));
    const age = ageMs >= lateMs ? "late" : ageMs >= lateMs / 2 ? "soon" : "fresh";
    if (card.dataset.age !== age) card.dataset.age = age;
    const undo = card.querySelector(".undo");
    if (undo !== null) show(undo, at < Number(undo.dataset.until));
  }
  write(find("waiting"), String(list.children.length));
  write(find("ringing"), String(rings.length));
  show(find("next"), rings.length > 0);
  showSound();
  showBlind();
  return rings;
}

setInterval(() => {
  if (performance.now() - heardAt > silentMs) isLost = true;
  const isClosed = source.readyState === EventSource.CLOSED;
  if (isLost && performance.now() - connectedAt > (isClosed ? 2_000 : silentMs)) reconnect();
  const rings = update();
  if (followedAt !== undefined && performance.now() - followedAt > followMs) {
    followedAt = undefined;
    scrollTo(0, 0);
  }
  if (rings.length > 0 && speaker.state === "running" && performance.now() - rangAt >= ringEveryMs) ring();
}, 500);

// --- A touch.
list.addEventListener("click", async ({ target }) => {
  const button = target.closest("button");
  if (button === null) return;
  const { branch, order, mark } = button.dataset;
  const card = button.closest(".card");
  const isTouch = button.className === "touch";
  // It is quiet at once; what the server says comes after.
  if (isTouch) card.dataset.rings = "false";
  update();
  const form = new URLSearchParams({ branch, order, mark });
  const answer = await fetch(isTouch ? "touch" : "undo", { method: "POST", body: form }).catch(
    () => undefined,
  );
  // 409: it has changed, or somebody was faster; the stream tells.
  const isSaved = answer?.ok || answer?.status === 409;
  show(find("failed"), !isSaved);
  if (isSaved) return;
  if (isTouch) card.dataset.rings = "true";
  setTimeout(() => show(find("failed"), false), 8_000);
});

addEventListener("pointerdown", () => {
  touchedAt = performance.now();
  followedAt = undefined;
});
find("next").addEventListener("click", () => ringing()[0]?.scrollIntoView({ block: "center" }));

// Only where the address is this machine's, or https, a browser lets a page keep the display on.
const stayAwake = () => void navigator.wakeLock?.request("screen").catch(() => undefined);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") stayAwake();
});
stayAwake();
connect();
update();
