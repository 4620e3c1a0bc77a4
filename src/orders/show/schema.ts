import { orderSchema } from "../../contract/order.ts";

export const forms = { document: orderSchema };
