import * as z from "zod";
import { line, document as send } from "../send-schema.ts";

const document = z.union([send, z.object({ sends: z.array(send) })]);
export const forms = { document, line };
