/** The header in which every answer of the mock names its world; a real service has none. */
export const worldHeader = "bpos-mock-world";

/** The worlds that a mock can start with. */
export const scenarioNames = ["demo", "empty", "rush", "busy"] as const;
