import { orderSchema } from "../../contract/order.ts";

export const document = orderSchema;
