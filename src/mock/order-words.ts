/** Given and family names of customers. */
export const people = [
  "Ana Gómez",
  "Bruno Díaz",
  "Carla Ñáñez",
  "Diego Fernández",
  "Elena Suárez",
  "Federico Ibáñez",
  "Graciela López",
  "Hernán Müller",
  "Inés Rodríguez",
  "Joaquín Peña",
  "Karina Acosta",
  "Lucas Benítez",
  "María José Ortiz",
  "Nahuel Quiroga",
] as const;

/** Streets with their district. */
export const streets = [
  ["Av. Corrientes", "CABA"],
  ["Av. Rivadavia", "CABA"],
  ["Gurruchaga", "Palermo"],
  ["Juramento", "Belgrano"],
  ["Av. Mitre", "Avellaneda"],
  ["9 de Julio", "Lanús"],
  ["Güemes", "Vicente López"],
] as const;

/** Instructions that customers leave. */
export const references = [
  "Timbre roto, llamar",
  "Portón verde",
  "Dejar en portería",
  "Casa con rejas, perro manso",
] as const;

/** Addresses that nobody could split. */
export const unsplitAddresses = [
  "Frente a la plaza San Martín, casa amarilla de dos pisos",
  "Ruta 8 km 42, entrando por el vivero, lote 17",
  "Barrio Los Aromos mz 4 casa 11",
] as const;

/** Options without a code of their own. */
export const manualOptions = [
  ["Sin cebolla", 0],
  ["Bien cocida", 0],
  ["Salsa picante", 350],
  ["Doble queso", 1200.5],
  ["Para compartir", 0],
] as const;

/** Products that were entered by hand in the service's own admin. */
export const manualProducts = [
  ["Promo del día", 8500],
  ["Menú ejecutivo", 9900.9],
  ["Docena de empanadas surtidas", 15800],
] as const;
