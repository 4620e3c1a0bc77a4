const streams: Readonly<Record<string, string>> = {
  "of this branch": "de esta sucursal",
  "standard input": "la entrada estándar",
  "standard output": "la salida estándar",
};

/** A file by its name; what has none is called something in English by whoever reports it. */
export const fileName = (file: string): string => streams[file] ?? file;
