import * as z from "zod";
import { type CampaignRequest, templateLanguageSchema } from "../contract/campaign.ts";
import { headerTypes } from "../contract/limits.ts";
import { headerUrlProblem } from "../contract/public-host.ts";
import { badInput } from "./refusal.ts";

export const templateSchema = z.object({
  id: z.string().min(1),
  languages: z.array(templateLanguageSchema).min(1),
  header: z.enum(["none", "image", "video", "document"]),
  params: z.int().min(0).max(100),
  state: z.enum(["approved", "pending", "rejected"]),
  body: z.string(),
});

export type TemplateInput = z.infer<typeof templateSchema>;
export interface Template extends TemplateInput {
  readonly name: string;
}

const rows: readonly [name: string, header: TemplateInput["header"], params: number, body: string][] = [
  ["pedido_listo", "none", 2, "Hola {{1}}, tu pedido {{2}} está listo."],
  ["promo_semana", "image", 1, "Hola {{1}}, mirá la promo de esta semana."],
  ["menu_pdf", "document", 1, "Hola {{1}}, te mandamos el menú."],
  ["video_local", "video", 0, "Conocé nuestro local."],
  ["aviso_simple", "none", 0, "Hoy abrimos a las 20 h. ¡Te esperamos!"],
  ["encuesta", "none", 1, "Hola {{1}}, ¿cómo estuvo tu pedido?"],
];

export const startingTemplates: readonly Template[] = rows.map(([name, header, params, body], index) => {
  const languages = name === "promo_semana" ? ["es_AR", "pt_BR"] : ["es_AR"];
  const state = name === "encuesta" ? "pending" : "approved";
  return { name, id: `tpl_${index + 1}`, languages, header, params, state, body };
});

export function render(body: string, params: readonly string[]): string {
  return body.replace(/\{\{(\d+)\}\}/g, (mark, position) => params[Number(position) - 1] ?? mark);
}

/** Throws MockRefusal 400 unless a header file's URL fits the template (`docs/service.md` 4.3). Nothing is downloaded. */
function checkHeader(kind: TemplateInput["header"], given = ""): void {
  if (kind === "none") return;
  if (given === "") throw badInput(`header_media_url is required: the template has a header of kind ${kind}`);
  const problem = headerUrlProblem(given);
  if (problem !== null) throw badInput(`header_media_url ${problem}`);
  const extension = /\.([^./]+)$/.exec(new URL(given).pathname)?.[1]?.toLowerCase() ?? "";
  const allowed: string[] = Object.values(headerTypes).flatMap((type) =>
    type.kind === kind ? type.extensions : [],
  );
  if (allowed.includes(extension)) return;
  throw badInput(`header_media_url must end in .${allowed.join(" or .")} for a header of kind ${kind}`);
}

/** The template of a send and its language. Throws MockRefusal 400 in all the cases of `docs/service.md` 4.3 and 7. */
export function chooseTemplate(
  templates: Iterable<Template>,
  send: Omit<CampaignRequest, "recipients">,
): { readonly template: Template; readonly language: string } {
  const { template_name: name, template_id: id, template_language: wanted } = send;
  if (name === undefined && id === undefined) throw badInput("template_name or template_id is required");
  const template = [...templates].find((one) => (name === undefined ? one.id === id : one.name === name));
  if (!template) throw badInput(`template not found: ${name ?? id ?? ""}`);
  if (id !== undefined && template.id !== id) throw badInput("template_name and template_id disagree");
  if (template.state !== "approved") throw badInput(`template not approved: ${template.name}`);
  const [only, ...others] = template.languages;
  const list = template.languages.join(", ");
  if (wanted === undefined && others.length > 0) {
    throw badInput(`template_language is required: ${template.name} exists in ${list}`);
  }
  const language = wanted ?? only ?? "";
  if (!template.languages.includes(language)) {
    throw badInput(`template ${template.name} does not exist in ${language}; it exists in ${list}`);
  }
  checkHeader(template.header, send.header_media_url);
  return { template, language };
}
