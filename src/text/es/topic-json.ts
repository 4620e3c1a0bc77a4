import type { json as english } from "../en/topic-json.ts";

/** The shapes of what commands print as JSON, in Spanish. */
export const json: typeof english = () => ({
  title: "JSON",
  parts: [
    {
      text: "-o json (o --json) imprime un documento; -o ndjson, un objeto por línea a medida que se sabe. Las claves son los nombres del servicio, los campos que bpos no conoce pasan como vienen, nada se redondea ni se traduce. Todo lo demás va a la salida de error.",
    },
    {
      heading: "orders list",
      code: ['{"orders":[…],"page":1,"per_page":20,"total":57,"has_more":true}'],
    },
    { heading: "orders show", text: "El pedido como lo manda el servicio." },
    {
      heading: "orders watch (ndjson, una línea por evento)",
      code: [
        '{"event":"order.new","at":"…","branch":"centro","order":{…},"repeated":false}',
        '{"event":"order.changed","at":"…","branch":"centro","order_id":7,"from":"pendiente","to":"cancelado"}',
      ],
    },
    {
      heading: "catalog push, catalog delete",
      code: [
        '{"push_id":"…","action":"upsert","occurred_at":"…","read":1240,"sent":1230,"batches":3,',
        ' "accepted":1228,"skipped_stale":0,"duplicate_batches":0,"unchanged":0,',
        ' "rejected":[{"codigo":"A1","error":"…","source":"service","line":17}],',
        ' "rejected_file":null,"outcome":"complete","dry_run":false}',
      ],
    },
    {
      text: 'source es file (la fila la rechazó bpos) o service. outcome es complete, partial, refused, stale, unknown o nothing. catalog history imprime {"pushes":[…]}.',
    },
    {
      heading: "campaign send, campaign resume",
      code: [
        '{"send_id":"…","template":"…","external_ref":"…",',
        ' "recipients":{"read":10,"planned":8,"added":8,"duplicates":0,"invalid":2,"excluded":0,"already_sent":0,"errors":[]},',
        ' "campaigns":[{"campaign_id":"…","idempotency_key":"…","status":"sent","campaign_name":"…","replayed":false,"recipients":{…}}],',
        ' "invalid":[{"line":3,"phone":"…","error":"…"}],"outcome":"sent","dry_run":false}',
      ],
    },
    {
      text: 'outcome es sent, replayed (no salió nada nuevo), partial, refused, unknown o nothing. Con varios envíos resume imprime {"sends":[…]}; campaign list también, cada uno con at.',
    },
    {
      heading: "campaign status",
      text: "Con un solo id, el documento del servicio sin tocar. Con varios, o con --ref:",
      code: ['{"campaigns":[…],"counts":{…},"recipients_hidden":4200}'],
    },
    {
      heading: "Un error, en la salida de error",
      code: [
        '{"error":{"code":"denied","message":"…","hint":"…","status":403,',
        '          "service_code":"ERROR_CODE_ACCESS_DENIED","reason":"access_denied"}}',
      ],
    },
    {
      text: "code es el nombre del código de salida (bpos help exit-codes), reason dice más (bpos help errors); message y hint son para personas.",
    },
    { text: "bpos openapi imprime la forma de lo que habla el servicio mismo." },
  ],
});
