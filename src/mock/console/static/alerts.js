// Alerts of new orders beside the board: a notification of the desktop and a sound, both off until somebody wants them.

const alerts = document.querySelector("[data-alerts]");
const nameAlert = ({ name }) => `alert ${name}`;
const wants = (name) => alerts?.querySelector(`[name="${name}"]`)?.checked ?? false;

let speaker = null;

/** Two tones that rise; a browser plays them once a person has touched the page. */
function ring() {
  speaker ??= new AudioContext();
  for (const [n, frequency] of [660, 880].entries()) {
    const tone = speaker.createOscillator();
    const volume = speaker.createGain();
    const from = speaker.currentTime + n * 0.16;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.25, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.3);
    tone.connect(volume).connect(speaker.destination);
    tone.start(from);
    tone.stop(from + 0.3);
  }
}

body.addEventListener("bpos:arrived", ({ detail: text }) => {
  if (wants("sound")) ring();
  // One takes the place of the one before.
  if (wants("notify") && globalThis.Notification?.permission === "granted")
    new Notification(text, { tag: "bpos-orders" });
});

for (const box of alerts?.querySelectorAll("input") ?? [])
  box.checked = localStorage.getItem(nameAlert(box)) === "on";

alerts?.addEventListener("change", async ({ target }) => {
  if (target.name === "notify" && target.checked) {
    // A browser has no notifications where the address is not this machine's.
    const permission = await globalThis.Notification?.requestPermission();
    target.checked = permission === "granted";
    if (!target.checked) say(alerts.dataset.blocked, true);
  }
  if (target.name === "sound" && target.checked) ring();
  if (target.checked) localStorage.setItem(nameAlert(target), "on");
  else localStorage.removeItem(nameAlert(target));
});
