import type { Topic } from "../topic.ts";

/** The shapes of what commands print as JSON. */
export const json = (): Topic => ({
  title: "JSON",
  parts: [
    {
      text: "-o json (or --json) prints one document, -o ndjson one object a line as it becomes known. Keys are the service's own names, fields that bpos does not know are passed through, nothing is rounded or translated. Everything else goes to standard error.",
    },
    {
      heading: "orders list",
      code: ['{"orders":[…],"page":1,"per_page":20,"total":57,"has_more":true}'],
    },
    { heading: "orders show", text: "The order as the service sends it." },
    {
      heading: "orders watch (ndjson, a line an event)",
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
      text: 'source is file (bpos refused the row) or service. outcome is complete, partial, refused, stale, unknown or nothing. catalog history prints {"pushes":[…]}.',
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
      text: 'outcome is sent, replayed (nothing new went out), partial, refused, unknown or nothing. resume prints {"sends":[…]} for several; campaign list prints {"sends":[…]}, each with at.',
    },
    {
      heading: "campaign status",
      text: "One id: the service's document unchanged. Several, or --ref:",
      code: ['{"campaigns":[…],"counts":{…},"recipients_hidden":4200}'],
    },
    {
      heading: "An error, on standard error",
      code: [
        '{"error":{"code":"denied","message":"…","hint":"…","status":403,',
        '          "service_code":"ERROR_CODE_ACCESS_DENIED","reason":"access_denied"}}',
      ],
    },
    {
      text: "code is the name of the exit code (bpos help exit-codes), reason says more (bpos help errors); message and hint are for people.",
    },
    { text: "bpos openapi prints the shapes of the service itself." },
  ],
});
