import fc from "fast-check";
import { seed, sized } from "./soak.ts";

fc.configureGlobal({ seed, numRuns: sized(25, 100) });
