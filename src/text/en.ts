/** English. */
export const en = {};
