import type { CampaignRequest } from "../../../contract/campaign.ts";
import type { CatalogItem } from "../../../contract/catalog.ts";
import { draw } from "../random.ts";
import { drawCustomer } from "../shop/customers.ts";

/** What happened in a branch before its world began. */
export interface Story {
  readonly branch: string;
  /** Prices until the push. */
  readonly before: Readonly<Record<string, number>>;
  /** Rows of the push that the service rejects. */
  readonly wrong: readonly Partial<CatalogItem>[];
  readonly campaign?: Readonly<Omit<CampaignRequest, "recipients" | "idempotency_key">>;
}

/** How long before the world began, milliseconds. */
export const pushAge = -95 * 60_000;
export const campaignAge = -70 * 60_000;

export const demoStories: readonly Story[] = [
  {
    branch: "demo",
    before: { "PIZ-001": 9200, "PIZ-002": 10500, "PIZ-003": 11300, "BEB-001": 3600 },
    wrong: [
      { codigo: "EMP-004", precio: 1520 },
      { codigo: "BEB-003", nombre: "Cerveza rubia 473 ml" },
    ],
    campaign: {
      template_name: "promo_semana",
      template_language: "es_AR",
      header_media_url: "https://example.com/promo.jpg",
      external_ref: "promo-fin-de-semana",
    },
  },
  {
    branch: "norte",
    before: { H01: 7400, H02: 10200, "00123": 3100 },
    wrong: [
      { codigo: "H04", precio: 9600 },
      { codigo: "D03", nombre: "Flan con crema" },
    ],
  },
];

/** The endings of phones whose fate is known: replied, opted out, delivered, failed. */
const endings = ["0003", "0005", "0002", "0000"];
const recipientCount = 30;

/** Returns the recipients of the story's campaign, with one param each. */
export function drawRecipients(seed: number): CampaignRequest["recipients"] {
  const from = draw(seed, "story");
  const recipients: CampaignRequest["recipients"] = [];
  while (recipients.length < recipientCount) {
    const { nombre, telefono } = drawCustomer(from);
    const ending = endings[recipients.length];
    const phone = ending === undefined ? telefono : telefono.slice(0, -4) + ending;
    if (nombre) recipients.push({ phone, params: [nombre.replace(/ .*/, "")] });
  }
  return recipients;
}
