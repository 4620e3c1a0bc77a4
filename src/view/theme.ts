/** Colours by meaning. */
export interface Theme {
  dim(text: string): string;
}
