// The catalog: a price that changed flashes.

const collectPrices = (part) =>
  new Map(Array.from(part.querySelectorAll("[data-code]"), ({ dataset }) => [dataset.code, dataset.price]));
let prices = collectPrices(document);

body.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target?.id !== "products") return;
  for (const row of target.querySelectorAll("[data-code]")) {
    const { code, price } = row.dataset;
    row.classList.toggle("changed", prices.has(code) && prices.get(code) !== price);
  }
  // Rows that a search hides for a while are known all the same.
  prices = new Map([...prices, ...collectPrices(target)]);
});
