import { expect, it } from "vitest";
import { type Mock, startMock } from "./support/console.ts";
import { call, viewsOf } from "./support/demo-world.ts";

const script = "document.title='canary';window.canary=1;alert(1)";
const rtl = "\u202E";
const texts = [
  `<img src=x onerror="${script}">`,
  `"><script>${script}</script>`,
  `'><svg onload=${script}>`,
  `<div hx-post="/_mock/reset" hx-trigger="load" hx-on::load="${script}">{{canary}} \${canary}</div>`,
  `</textarea></template></noscript><a href="javascript:${script}">x</a>`,
  `${rtl}sdrawkcab${rtl} 🍕👨‍👩‍👧‍👦 ${"ancho".repeat(60)}`,
  "data: x\nevent: status\ndata: <img src=x onerror=alert(1)>\r\n\r\n",
];
const marked = (n: number): string => `#${n} ${texts.join(" ")}`;
const media = `https://example.com/"><img src=x onerror=${script}>.jpg`;

/** Gives the mock all that a page shows, each text of it markup. */
async function bringHostileWorld({ url }: Mock): Promise<void> {
  const text = marked(1);
  await call(url, "POST", "/_mock/orders", {
    order: {
      delivery_type: "delivery",
      delivery_address: marked(2),
      cliente: { nombre: marked(3), telefono: text, telefono_numero: text },
      domicilio: { calle: text, numero: text, piso_depto: text, localidad: text, referencia: marked(4) },
      lineas: [{ codigo: text, nombre: marked(5), opciones: [{ codigo: text, nombre: marked(6) }] }],
      [text]: { [text]: text },
    },
  });
  const items = texts.map((each) => {
    return { codigo: each.slice(0, 40), nombre: each, categoria: each, precio: 1 };
  });
  items.push({ codigo: texts[0]?.repeat(3) ?? "", nombre: "too long", categoria: "", precio: 1 });
  const push = { event_id: text, occurred_at: "2026-01-01T12:00:00Z", action: "upsert", items };
  await call(url, "POST", "/v1/catalog/items", push);
  const template = {
    languages: ["es_AR"],
    header: "image",
    params: 1,
    state: "approved",
    body: `${marked(7)} {{1}}`,
  };
  await call(url, "PUT", `/_mock/templates/${encodeURIComponent(texts[0] ?? "")}`, {
    id: texts[1],
    ...template,
  });
  const phone = "+5491155550003";
  const campaign = { template_name: texts[0], recipients: [{ phone, params: [marked(8)] }] };
  const names = { external_ref: marked(9), campaign_name: marked(10) };
  const post = (key: string, header_media_url: string) =>
    call(url, "POST", "/messaging/campaigns", {
      idempotency_key: key,
      ...campaign,
      ...names,
      header_media_url,
    });
  await post(`${texts[0] ?? ""}1`, media);
  await post(`${texts[0] ?? ""}2`, `javascript:${script}`);
  await call(url, "POST", "/_mock/clock", { advance_ms: 60_000 });
  await call(url, "POST", "/_mock/replies", { phone, text: marked(11) });
  await fetch(`${url}/v1/orders?status=${encodeURIComponent(text)}`, {
    headers: { "x-api-key": texts[0] ?? "" },
  });
  await call(url, "POST", "/_mock/faults", { method: "GET", path: `/${texts[0] ?? ""}`, effect: "html" });
  await call(url, "PUT", "/_mock/webhook", { url: `http://127.0.0.1:9/?${texts[0] ?? ""}` });
}

it("shows texts that are markup as text, when they come and after a reload", async () => {
  const mock = await startMock("--scenario", "empty", "--clock", "2026-01-01T12:00:00-03:00");
  const before = await viewsOf(mock.url);
  const paths = Object.entries(before).flatMap(([name, path]) => (name === "campaign" ? [] : [path]));
  const tabs = [];
  for (const path of paths) tabs.push(await mock.open(path));
  await bringHostileWorld(mock);
  const { campaign = "" } = await viewsOf(mock.url);
  const requests = [1, 2, 3].map((id) => `/console/requests/${id}`);
  const push = `/console/pushes/${encodeURIComponent(marked(1))}`;
  for (const path of [campaign, "/console/orders/1001", push, ...requests]) tabs.push(await mock.open(path));
  for (const tab of tabs) {
    const check = async (): Promise<void> => {
      // Neither has a text of the world's: a rule has no spaces.
      if (!/\/(world|world#faults)$/.test(tab.url()))
        await tab.getByText("<img src=x").filter({ visible: true }).first().waitFor();
      const found = await tab.evaluate(() => ({
        canary: "canary" in window || document.title === "canary",
        injected: [...document.querySelectorAll("main, dialog")].flatMap((part) =>
          [
            ...part.querySelectorAll(
              "script, iframe, [onerror], [onload], [href^='javascript:'], [hx-trigger=load]",
            ),
          ].map(({ outerHTML }) => outerHTML),
        ),
        wide:
          document.documentElement.scrollWidth > document.documentElement.clientWidth
            ? [...document.querySelectorAll("main *")]
                .filter((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth)
                .map(({ outerHTML }) => outerHTML.slice(0, 60))
            : [],
      }));
      expect(found, tab.url()).toEqual({ canary: false, injected: [], wide: [] });
    };
    await check();
    await tab.reload();
    await check();
  }
});
