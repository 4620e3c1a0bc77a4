/** The worlds that a mock can start with. */
export const scenarioNames = ["demo", "empty", "rush", "busy"] as const;
