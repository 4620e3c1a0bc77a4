import * as z from "zod";
import { past } from "../push/schema.ts";

const document = z.object({ pushes: z.array(past) });
export const forms = { document, line: past };
