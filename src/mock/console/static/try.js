// API: a request that a person makes from the page, and what the mock answered.

function buildRequest(form) {
  const { try: method, address, keyOf } = form.dataset;
  const headers = { "X-API-Key": keyOf };
  const text = form.elements.namedItem("body")?.value;
  if (text !== undefined) headers["Content-Type"] = "application/json";
  const query = new URLSearchParams();
  let path = address;
  for (const { name, value, dataset } of form.querySelectorAll("[data-in]")) {
    if (dataset.in === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(name, value);
  }
  return [query.size === 0 ? path : `${path}?${query}`, { method, headers, body: text }];
}

function formatJson(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

body.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.try === undefined) return;
  event.preventDefault();
  const result = form.querySelector("[data-result]");
  const line = document.createElement("p");
  const shown = document.createElement("pre");
  shown.className = "code";
  shown.tabIndex = 0;
  const began = performance.now();
  try {
    const answer = await fetch(...buildRequest(form));
    shown.textContent = formatJson(await answer.text());
    line.className = answer.ok ? "good" : "bad";
    line.textContent = `${answer.status} · ${Math.round(performance.now() - began)} ms`;
  } catch {
    line.className = "bad";
    line.textContent = result.dataset.none;
  }
  result.replaceChildren(line, shown);
});
