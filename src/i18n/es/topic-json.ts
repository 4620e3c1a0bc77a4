import type { json as english } from "../en/topic-json.ts";
import { jsonShapes } from "../json-shapes.ts";

/** The shapes of what commands print as JSON, in Spanish. */
export const json: typeof english = () => ({
  title: "JSON",
  parts: [
    {
      text: "-o json (o --json) imprime un documento; -o ndjson, un objeto por línea a medida que se sabe. Las claves son los nombres del servicio, los campos que bpos no conoce pasan como vienen, nada se redondea ni se traduce. Todo lo demás va a la salida de error.",
    },
    {
      heading: "orders list",
      code: jsonShapes.ordersList,
    },
    { heading: "orders show", text: "El pedido como lo manda el servicio." },
    {
      heading: "orders watch (ndjson, una línea por evento)",
      code: jsonShapes.ordersWatch,
    },
    {
      heading: "catalog push, catalog delete",
      code: jsonShapes.catalogPush,
    },
    {
      text: 'source es file (la fila la rechazó bpos) o service. outcome es complete, partial, refused, stale, unknown o nothing. catalog history imprime {"pushes":[…]}.',
    },
    {
      heading: "campaign send, campaign resume",
      code: jsonShapes.campaignSend,
    },
    {
      text: 'outcome es sent, replayed (no salió nada nuevo), partial, refused, unknown o nothing. Con varios envíos resume imprime {"sends":[…]}; campaign list también, cada uno con at.',
    },
    {
      heading: "campaign status",
      text: "Con un solo id, el documento del servicio sin tocar. Con varios, o con --ref:",
      code: jsonShapes.campaignStatus,
    },
    {
      heading: "Un error, en la salida de error",
      code: jsonShapes.error,
    },
    {
      text: "code es el nombre del código de salida (bpos help exit-codes), reason dice más (bpos help errors); message y hint son para personas.",
    },
    { text: "bpos openapi imprime la forma de lo que habla el servicio mismo." },
  ],
});
