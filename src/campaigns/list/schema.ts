import * as z from "zod";
import { past } from "../send-schema.ts";

const document = z.object({ sends: z.array(past) });
export const forms = { document, line: past };
