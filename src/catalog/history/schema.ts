import * as z from "zod";
import { past } from "../sending/schema.ts";

const document = z.object({ pushes: z.array(past) });
export const forms = { document, line: past };
