// The form of a new order: its products, its lines and its total; what a person wrote stays until it is sent.

const pesos = new Intl.NumberFormat("es-AR", { style: "currency", currency: "ARS" });

/** Returns the product of the list that a person wrote: as a whole entry, or as a code. */
function findProduct({ list, value }) {
  const wanted = value.trim();
  const options = [...(list?.options ?? [])];
  return options.find((each) => each.value === wanted || each.dataset.code === wanted)?.dataset;
}

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
  output.textContent = total > 0 ? pesos.format(total) : output.dataset.none;
}

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

body.addEventListener("input", ({ target }) => {
  if (target.hasAttribute("data-product")) checkProduct(target);
  const form = target.closest("[data-draft]");
  if (!form) return;
  showTotal(form);
  // Another branch comes with products of its own.
  if (!target.hasAttribute("hx-get")) keepDraft(form);
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
  const list = target.closest("[data-add]")?.closest("form").querySelector("ol");
  if (list) addLine(list).querySelector("[name]").focus();
  if (target.closest("[data-remove]")) {
    const line = target.closest("[data-line]");
    const form = line.closest("form");
    line.previousElementSibling.querySelector("[name]").focus();
    line.remove();
    keepDraft(form);
    showTotal(form);
  }
  const cleared = target.closest("[data-clear]")?.closest("form");
  if (cleared) {
    sessionStorage.removeItem(nameDraft(cleared));
    for (const line of [...cleared.querySelectorAll("[data-line]")].slice(1)) line.remove();
    cleared.reset();
    showTotal(cleared);
  }
});
