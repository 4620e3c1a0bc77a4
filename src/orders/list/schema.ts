import { orderSchema, ordersResponseSchema } from "../../contract/order.ts";

export const forms = { document: ordersResponseSchema, line: orderSchema };
