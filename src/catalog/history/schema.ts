import * as z from "zod";
import { past } from "../push/schema.ts";

export const document = z.object({ pushes: z.array(past) });
export const line = past;
