// Adds to htmx JSON with numbers and nested fields, the dialog and notices. The board is in board.js.

const dropHoles = (value) => {
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(dropHoles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, dropHoles(each)]));
};

/** Puts a value where `order.lineas.0.cantidad` says. */
function put(root, name, value) {
  const steps = name.split(".");
  const last = steps.pop();
  let place = root;
  for (const [n, step] of steps.entries()) {
    place[step] ??= /^\d+$/.test(steps[n + 1] ?? last) ? [] : {};
    place = place[step];
  }
  place[last] = value;
}

const isHidden = (field) => field?.checkVisibility?.() === false && field.type !== "hidden";

const zone = document.getElementById("zone");

// The pill leads to what is not as usual.
document.body.addEventListener("htmx:sseMessage", ({ target }) => {
  if (target.id === "sandbox") target.closest("a").hash = target.querySelector(".faulty") ? "faults" : "";
});

/** A date is of the page's zone; `data-unit` says how many of what the API counts one of a number field is. */
function readValue(field, value) {
  if (field?.type === "number") return Number(value) * Number(field.dataset.unit ?? 1);
  if (field?.type === "datetime-local") return `${value.padEnd(19, ":00")}${zone?.dataset.offset}`;
  if (field?.hasAttribute?.("data-product")) return findProduct(field)?.code ?? value;
  return field?.hasAttribute?.("data-json") ? JSON.parse(value) : value;
}

// Not json-enc: the control API takes numbers and nested orders, and json-enc sends a form's fields flat, as texts.
let api;
htmx.defineExtension("json", {
  init: (given) => {
    api = given;
  },
  onEvent: (name, { detail }) => {
    if (name === "htmx:configRequest" && detail.verb !== "get")
      detail.headers["Content-Type"] = "application/json";
  },
  encodeParameters: (_xhr, parameters, element) => {
    const fields = element.closest("form")?.elements;
    const root = {};
    for (const [name, value] of parameters) {
      const field = fields?.namedItem(name);
      // A line without a product is none.
      const product = field?.closest?.("[data-line]")?.querySelector("[data-product]");
      if (value !== "" && product?.value !== "" && !isHidden(field)) put(root, name, readValue(field, value));
    }
    return JSON.stringify(dropHoles({ ...root, ...api.getExpressionVars(element) }));
  },
});

const { body } = document;
const dialog = document.getElementById("dialog");
const notice = document.getElementById("notice");

function say(text, isProblem = false) {
  const line = document.createElement("p");
  line.textContent = text;
  line.className = isProblem ? "problem" : "";
  // Below an open dialog nobody would see or hear it.
  (dialog.open ? dialog : body).append(notice);
  notice.replaceChildren(line);
  setTimeout(() => line.remove(), isProblem ? 12_000 : 5_000);
}

/** Returns the value of an answer that `{orders.0.order_id}` in a sentence stands for. */
function fillIn(sentence, json) {
  const at = (path) => path.split(".").reduce((value, step) => value?.[step], JSON.parse(json));
  return sentence.replace(/\{([\w.]+)\}/g, (_, path) => at(path));
}

/** Returns the error in an answer of the control API. */
function readProblem(answer) {
  try {
    return body.dataset.failed + JSON.parse(answer).message;
  } catch {
    return body.dataset.unreachable;
  }
}

// One request of a form or a button at a time: htmx would send the second click once the first is answered.
body.addEventListener("htmx:confirm", (event) => {
  const { elt } = event.detail;
  if (elt.matches("form, button") && elt.classList.contains("htmx-request")) event.preventDefault();
});
body.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr, successful } }) => {
  if (successful) {
    if (elt.hasAttribute("data-close")) dialog.close();
    if (elt.dataset.done) say(fillIn(elt.dataset.done, xhr.responseText));
    // The new thing opens in the dialog.
    if (elt.dataset.open)
      htmx.ajax("GET", elt.dataset.open + JSON.parse(xhr.responseText).id, "#dialog-body");
    if (elt.hasAttribute("data-reset")) elt.reset();
    return;
  }
  say(readProblem(xhr.responseText), true);
});

body.addEventListener("htmx:sseError", () => {
  document.getElementById("disconnected").hidden = false;
});
body.addEventListener("htmx:sseOpen", () => {
  document.getElementById("disconnected").hidden = true;
});

// The dialog: whatever is a link with data-dialog opens in it.
let opener = "";
let pressed = null;
/** The dialog has an entry of the history above that of the page, so that Back closes it. The next dialog takes it over. */
let isAbove = Boolean(history.state?.above);

// A form that is opened again has what a person wrote: compose.js keeps it.
const leave = () => dialog.close();
function enterHistory() {
  if (isAbove) return;
  history.replaceState({ ...history.state, below: true }, "");
  history.pushState({ above: true }, "");
  isAbove = true;
}

body.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-dialog]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    opener = link.id;
    htmx.ajax("GET", link.href, "#dialog-body");
  }
  if (event.target.closest("button.close")) leave();
  // Beside its content is outside of it; who marks a text and lets go there stays.
  if (event.target === dialog && pressed === dialog) leave();
  const copied = event.target.closest("[data-copy]");
  if (copied)
    navigator.clipboard.writeText(copied.dataset.copy).then(
      () => say(body.dataset.copied),
      () => say(body.dataset.notCopied, true),
    );
});
body.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target?.id !== "dialog-body" || dialog.open) return;
  dialog.showModal();
  enterHistory();
});
addEventListener("popstate", (event) => {
  const wasAbove = isAbove;
  isAbove = Boolean(history.state?.above);
  if (!wasAbove || !history.state?.below) return;
  // htmx would load the page again, as it does for an address that it put there.
  event.stopImmediatePropagation();
  if (dialog.open) dialog.close();
  else history.back();
});
dialog.addEventListener("close", () => {
  body.append(notice);
  document.getElementById("dialog-body").replaceChildren();
  // The element that opened it may have been replaced meanwhile.
  if (opener !== "" && document.activeElement === body) document.getElementById(opener)?.focus();
});

// The address names what shows; the list that it is chosen from marks it.
function markChosen() {
  const links = [...document.querySelectorAll(".person, .tabs > [href^='#']")];
  const chosen = links.find(({ hash }) => hash === location.hash) ?? links[0];
  for (const link of links) link.removeAttribute("aria-current");
  chosen?.setAttribute("aria-current", "true");
}
addEventListener("hashchange", markChosen);
markChosen();

// A file goes out as it is: the mock says what is wrong with it.
body.addEventListener("change", async ({ target }) => {
  const [file] = target.files ?? [];
  const { import: path, confirm: question, done } = target.dataset;
  if (!path || !file) return;
  if (confirm(question)) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body: file }).catch(() => null);
    if (answer?.ok) say(done);
    else say(readProblem(await answer?.text()), true);
  }
  target.value = "";
});

// The focused element may be replaced, or come back elsewhere: the focus stays with its id, until a person clicks elsewhere.
let focused = "";
body.addEventListener("pointerdown", ({ target }) => {
  pressed = target;
  focused = "";
});
body.addEventListener("focusin", ({ target }) => {
  focused = target.id;
});
function refocus() {
  if (focused !== "" && document.activeElement === body) document.getElementById(focused)?.focus();
}
body.addEventListener("htmx:sseMessage", refocus);
