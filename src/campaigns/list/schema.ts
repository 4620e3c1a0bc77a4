import * as z from "zod";
import { past } from "../send/schema.ts";

export const document = z.object({ sends: z.array(past) });
export const line = past;
