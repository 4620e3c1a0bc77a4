// The form of a new order: its products, its lines and its total; what a person wrote stays until it is sent.

const pesos = new Intl.NumberFormat("es-AR", { style: "currency", currency: "ARS" });

const listOffers = () => [...document.querySelectorAll("#offers > div")];

/** Returns the product of the list that a person wrote: as a whole entry, or as a code. */
function findProduct({ value }) {
  const wanted = value.trim();
  return listOffers().find(({ dataset }) => dataset.value === wanted || dataset.code === wanted)?.dataset;
}

const simplify = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The field below which the list of products is open. */
let offered = null;
const listShown = () => listOffers().filter(({ hidden }) => !hidden);
const findActive = () => document.querySelector("#offers > [aria-selected='true']");

function activate(offer) {
  findActive()?.setAttribute("aria-selected", "false");
  offer?.setAttribute("aria-selected", "true");
  offer?.scrollIntoView({ block: "nearest" });
  if (offer) offered?.setAttribute("aria-activedescendant", offer.id);
  else offered?.removeAttribute("aria-activedescendant");
}

function closeOffers() {
  const list = document.getElementById("offers");
  activate(null);
  if (list) list.hidden = true;
  offered?.setAttribute("aria-expanded", "false");
  offered = null;
}

/** Shows below a field the products that match what it holds; none once that is one of them. */
function offer(field) {
  const list = document.getElementById("offers");
  if (!list || findProduct(field)) return closeOffers();
  if (offered !== field) closeOffers();
  const wanted = simplify(field.value.trim());
  for (const each of listOffers()) each.hidden = !simplify(each.dataset.value).includes(wanted);
  offered = field;
  field.closest("[data-line]").append(list);
  list.hidden = listShown().length === 0;
  field.setAttribute("aria-expanded", String(!list.hidden));
  activate(null);
}

function choose(product) {
  const field = offered;
  field.value = product.dataset.value;
  closeOffers();
  onInput(field);
}

/** Moves in the list, chooses with Enter and closes it with Escape, which then does not close the form. */
function onOfferKey(event) {
  const { target, key } = event;
  if (target !== offered || document.getElementById("offers").hidden) {
    if (key === "ArrowDown" && target.hasAttribute?.("data-product")) offer(target);
    return;
  }
  const shown = listShown();
  const at = shown.indexOf(findActive());
  if (key === "ArrowDown") activate(shown[(at + 1) % shown.length]);
  else if (key === "ArrowUp") activate(shown.at(at <= 0 ? -1 : at - 1));
  else if (key === "Enter" && at >= 0) choose(shown[at]);
  else if (key === "Escape") closeOffers();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

document.addEventListener("keydown", onOfferKey, { capture: true });
body.addEventListener("focusout", ({ target }) => {
  if (target === offered) closeOffers();
});
// The field keeps the focus.
body.addEventListener("pointerdown", (event) => {
  if (event.target.closest?.("#offers")) event.preventDefault();
});

function checkProduct(field) {
  const isKnown = field.value === "" || findProduct(field) !== undefined;
  field.setCustomValidity(isKnown ? "" : field.dataset.unknown);
}

const readNumber = (line, part) => Number(line.querySelector(`[name$="${part}"]`)?.value ?? 0) || 0;

function showTotal(form) {
  const output = form.querySelector("[data-total]");
  if (!output) return;
  let total = 0;
  for (const line of form.querySelectorAll("[data-line]")) {
    const product = findProduct(line.querySelector("[data-product]"));
    if (!product) continue;
    total += (Number(product.price) + readNumber(line, ".precio_adicional")) * readNumber(line, ".cantidad");
  }
  const shipping = form.querySelector("[name='order.costo_envio']");
  if (total > 0 && !isHidden(shipping)) total += Number(shipping.value) || 0;
  output.textContent = total > 0 ? pesos.format(total) : "—";
}

/** Takes the list of products out of a line that goes. */
const keepOffers = (part, form) => {
  const list = part.querySelector("#offers");
  if (list) form.querySelector("#products").append(list);
};

function addLine(list) {
  const line = list.nextElementSibling.content.cloneNode(true).firstElementChild;
  const n = Number(list.dataset.next ?? 1);
  list.dataset.next = n + 1;
  for (const field of line.querySelectorAll("[name]")) field.name = field.name.replace("{n}", n);
  list.append(line);
  return line;
}

// A draft has its branch: the products of another one are others.
const nameDraft = (form) => `draft ${form.elements.namedItem("branch").value}`;
const listFields = (form) => [...form.elements].filter(({ name }) => name && name !== "branch");

function keepDraft(form) {
  const fields = listFields(form).map(({ name, type, value, checked }) =>
    type === "radio" ? [name, value, checked] : [name, value],
  );
  sessionStorage.setItem(nameDraft(form), JSON.stringify(fields));
}

function restoreDraft(form) {
  const kept = JSON.parse(sessionStorage.getItem(nameDraft(form)) ?? "[]");
  const list = form.querySelector("ol");
  for (const [name, value, checked] of kept) {
    const n = Number(/^order\.lineas\.(\d+)\./.exec(name)?.[1] ?? 0);
    while (list && n > 0 && !form.elements.namedItem(name)) {
      list.dataset.next = n;
      addLine(list);
    }
    for (const field of listFields(form)) {
      if (field.name !== name) continue;
      if (checked === undefined) field.value = value;
      else if (field.value === value) field.checked = checked;
    }
  }
  for (const field of form.querySelectorAll("[data-product]")) checkProduct(field);
  showTotal(form);
}

function onInput(target) {
  if (target.hasAttribute("data-product")) checkProduct(target);
  const form = target.closest("[data-draft]");
  if (!form) return;
  showTotal(form);
  // Another branch comes with products of its own.
  if (!target.hasAttribute("hx-get")) keepDraft(form);
}

body.addEventListener("input", ({ target }) => {
  if (target.hasAttribute("data-product")) {
    if (target.value.trim() === "") closeOffers();
    else offer(target);
  }
  onInput(target);
});
body.addEventListener("htmx:afterSwap", () => {
  const form = dialog.querySelector("[data-draft]");
  if (form) restoreDraft(form);
});
body.addEventListener("htmx:afterRequest", ({ detail: { elt, successful, requestConfig } }) => {
  if (successful && requestConfig.verb !== "get" && elt.matches("[data-draft]"))
    sessionStorage.removeItem(nameDraft(elt));
});
body.addEventListener("click", ({ target }) => {
  const product = target.closest("#offers > div");
  if (product && offered) choose(product);
  if (target.hasAttribute("data-product")) offer(target);
  const list = target.closest("[data-add]")?.closest("form").querySelector("ol");
  if (list) addLine(list).querySelector("[name]").focus();
  if (target.closest("[data-remove]")) {
    const line = target.closest("[data-line]");
    const form = line.closest("form");
    closeOffers();
    keepOffers(line, form);
    line.previousElementSibling.querySelector("[name]").focus();
    line.remove();
    keepDraft(form);
    showTotal(form);
  }
  const cleared = target.closest("[data-clear]")?.closest("form");
  if (cleared) {
    sessionStorage.removeItem(nameDraft(cleared));
    keepOffers(cleared.querySelector("ol"), cleared);
    for (const line of [...cleared.querySelectorAll("[data-line]")].slice(1)) line.remove();
    cleared.reset();
    showTotal(cleared);
  }
});
