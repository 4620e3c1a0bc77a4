import * as z from "zod";
import { templateLanguageSchema } from "../contract/campaign.ts";

const headerKinds = ["none", "image", "video", "document"] as const;
/** A template's header: none, or the kind of file that a send must bring. */
export type HeaderKind = (typeof headerKinds)[number];

/** A template as `PUT /_mock/templates/NAME` takes it. */
export const templateSchema = z.object({
  id: z.string().min(1),
  languages: z.array(templateLanguageSchema).min(1),
  header: z.enum(headerKinds),
  params: z.int().min(0).max(100),
  state: z.enum(["approved", "pending", "rejected"]),
  body: z.string(),
});

/** A message template without its name. */
export type TemplateInput = z.infer<typeof templateSchema>;
/** A message template. */
export interface Template extends TemplateInput {
  readonly name: string;
}

/** The templates that every world starts with. */
export const startingTemplates: readonly Template[] = [
  {
    name: "pedido_listo",
    id: "tpl_1",
    languages: ["es_AR"],
    header: "none",
    params: 2,
    state: "approved",
    body: "Hola {{1}}, tu pedido {{2}} está listo.",
  },
  {
    name: "promo_semana",
    id: "tpl_2",
    languages: ["es_AR", "pt_BR"],
    header: "image",
    params: 1,
    state: "approved",
    body: "Hola {{1}}, mirá la promo de esta semana.",
  },
  {
    name: "menu_pdf",
    id: "tpl_3",
    languages: ["es_AR"],
    header: "document",
    params: 1,
    state: "approved",
    body: "Hola {{1}}, te mandamos el menú.",
  },
  {
    name: "video_local",
    id: "tpl_4",
    languages: ["es_AR"],
    header: "video",
    params: 0,
    state: "approved",
    body: "Conocé nuestro local.",
  },
  {
    name: "aviso_simple",
    id: "tpl_5",
    languages: ["es_AR"],
    header: "none",
    params: 0,
    state: "approved",
    body: "Hoy abrimos a las 20 h. ¡Te esperamos!",
  },
  {
    name: "encuesta",
    id: "tpl_6",
    languages: ["es_AR"],
    header: "none",
    params: 1,
    state: "pending",
    body: "Hola {{1}}, ¿cómo estuvo tu pedido?",
  },
];

/** The message as a person reads it: `{{1}}` is the first param. */
export function render(body: string, params: readonly string[]): string {
  return body.replace(/\{\{(\d+)\}\}/g, (mark, position) => params[Number(position) - 1] ?? mark);
}
