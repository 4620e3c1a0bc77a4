import { orderSchema, ordersResponseSchema } from "../../contract/order.ts";

export const document = ordersResponseSchema;
export const line = orderSchema;
