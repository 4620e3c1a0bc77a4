import * as z from "zod";
import { document as send } from "../send/schema.ts";

export const document = z.union([send, z.object({ sends: z.array(send) })]);
export const line = send;
