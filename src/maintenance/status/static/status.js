// The page asks for itself again and again: where nobody answers, what is on it is old.
document.body.addEventListener("htmx:afterRequest", ({ detail }) => {
  document.getElementById("disconnected").hidden = detail.successful;
});
