import { past } from "../push/schema.ts";

export const forms = { document: past };
