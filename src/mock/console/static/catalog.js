// The catalog: what a person changes in place goes out as the push of a POS, and a price that changed flashes.

/** The world's time, to the second. */
const readNow = () => Date.parse(document.querySelector("#status time").dateTime);

/** What is edited stays until it is done: the table waits. */
let editing = null;
let isOutdated = false;

function endEdit() {
  if (!editing) return;
  const { form, button } = editing;
  editing = null;
  form.replaceWith(button);
  if (isOutdated) htmx.trigger("#search", "submit");
  isOutdated = false;
}

/** Pushes some fields of a row's product with the key of its branch. */
async function pushRow(row, fields) {
  const { keyOf, done } = row.closest("table").dataset;
  // Not older than what is there, or the service would leave it as it is.
  const at = new Date(Math.max(readNow(), Date.parse(row.dataset.after) || 0)).toISOString();
  const event = {
    event_id: `console-${row.dataset.code}-${performance.timeOrigin + performance.now()}`,
    occurred_at: at,
    action: "upsert",
    items: [{ codigo: row.dataset.code, ...fields }],
  };
  const headers = { "Content-Type": "application/json", "X-API-Key": keyOf };
  const request = { method: "POST", headers, body: JSON.stringify(event) };
  const answer = await fetch("/v1/catalog/items", request).catch(() => null);
  const text = (await answer?.text().catch(() => "")) ?? "";
  if (!answer?.ok) return say(readProblem(text), true);
  const [rejected] = JSON.parse(text).rejected;
  say(rejected ? body.dataset.failed + rejected.error : done, Boolean(rejected));
}

function startEdit(button) {
  endEdit();
  const { edit: field, value } = button.dataset;
  const form = document.createElement("form");
  const input = document.createElement("input");
  Object.assign(input, { value, required: true, type: field === "precio" ? "number" : "text" });
  if (field === "precio") Object.assign(input, { min: 0, step: "any" });
  input.setAttribute("aria-label", button.title);
  form.append(input);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const row = form.closest("tr");
    const given = field === "precio" ? Number(input.value) : input.value;
    endEdit();
    if (String(given) !== value) void pushRow(row, { [field]: given });
  });
  form.addEventListener("keydown", ({ key }) => key === "Escape" && endEdit());
  form.addEventListener("focusout", endEdit);
  editing = { form, button };
  button.replaceWith(form);
  input.select();
}

body.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-edit]");
  if (button) startEdit(button);
  const toggle = target.closest("[data-toggle]");
  if (toggle) void pushRow(toggle.closest("tr"), { deshabilitado: toggle.dataset.toggle === "true" });
});

const collectPrices = (part) =>
  new Map(Array.from(part.querySelectorAll("[data-code]"), ({ dataset }) => [dataset.code, dataset.price]));
let prices = collectPrices(document);

body.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "products" || !editing) return;
  isOutdated = true;
  event.detail.shouldSwap = false;
});
body.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target?.id !== "products") return;
  for (const row of target.querySelectorAll("[data-code]")) {
    const { code, price } = row.dataset;
    row.classList.toggle("changed", prices.has(code) && prices.get(code) !== price);
  }
  // What a search hides for a while is known all the same.
  prices = new Map([...prices, ...collectPrices(target)]);
});
