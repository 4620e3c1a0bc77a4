import { jsonShapes } from "../json-shapes.ts";
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
      code: jsonShapes.ordersList,
    },
    { heading: "orders show", text: "The order as the service sends it." },
    {
      heading: "orders watch (ndjson, a line an event)",
      code: jsonShapes.ordersWatch,
    },
    {
      heading: "catalog push, catalog delete",
      code: jsonShapes.catalogPush,
    },
    {
      text: 'source is file (bpos refused the row) or service. outcome is complete, partial, refused, stale, unknown or nothing. catalog history prints {"pushes":[…]}.',
    },
    {
      heading: "campaign send, campaign resume",
      code: jsonShapes.campaignSend,
    },
    {
      text: 'outcome is sent, replayed (nothing new went out), partial, refused, unknown or nothing. resume prints {"sends":[…]} for several; campaign list prints {"sends":[…]}, each with at.',
    },
    {
      heading: "campaign status",
      text: "One id: the service's document unchanged. Several, or --ref:",
      code: jsonShapes.campaignStatus,
    },
    {
      heading: "An error, on standard error",
      code: jsonShapes.error,
    },
    {
      text: "code is the name of the exit code (bpos help exit-codes), reason says more (bpos help errors); message and hint are for people.",
    },
    { text: "bpos openapi prints the shapes of the service itself." },
  ],
});
