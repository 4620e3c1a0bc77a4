import { endpoints } from "../contract/endpoints.ts";

/** Where the campaigns' base address lies below the mock's own. */
export const campaignsBase = "/messaging";

/** The paths of the endpoints below the mock's own address. */
export const apiPaths: readonly string[] = Object.values(endpoints).map(({ base, path }) =>
  base === "base_url" ? path : campaignsBase + path,
);
