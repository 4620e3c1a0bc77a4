/** The header in which every answer of the mock names its world; a real service has none. */
export const worldHeader = "bpos-mock-world";
