import type { Order } from "../../../contract/order.ts";
import { type Draw, hash } from "../random.ts";

const firstNames = (
  "Ana, Bruno, Carla, Diego, Elena, Federico, Graciela, Hernán, Inés, Joaquín, Karina, Lucas, María José, " +
  "Nahuel, Olga, Pablo, Rocío, Santiago, Valentina, Yamila"
).split(", ");
const surnames = (
  "Gómez, Díaz, Ñáñez, Fernández, Suárez, Ibáñez, López, Müller, Rodríguez, Peña, Acosta, Benítez, Ortiz, " +
  "Quiroga, Ferrari, Sosa, Medina"
).split(", ");

interface Town {
  readonly localidad: string;
  readonly streets: readonly string[];
  /** Addresses that nobody could split into street and number. */
  readonly unsplit: readonly string[];
}

const capital: Town = {
  localidad: "CABA",
  streets: ["Av. Corrientes", "Lavalle", "Tucumán", "Av. Callao", "Sarmiento", "Bartolomé Mitre", "Paraná"],
  unsplit: ["Galería Güemes, local 12, entrada por Florida", "Obelisco, puesto de diarios de la esquina"],
};
const north: Town = {
  localidad: "Olivos",
  streets: ["Av. Maipú", "Ugarte", "Malaver", "Roque Sáenz Peña", "Güemes", "José Ingenieros"],
  unsplit: ["Puerto de Olivos, amarra 41, lancha Ñandú", "Frente a la plaza, casa amarilla de dos pisos"],
};
const towns: readonly Town[] = [
  capital,
  north,
  {
    localidad: "Lanús",
    streets: ["9 de Julio", "Ituzaingó", "Av. Hipólito Yrigoyen", "Margarita Weild", "Basavilbaso"],
    unsplit: ["Barrio Los Aromos mz 4 casa 11", "Frente a la plaza San Martín, casa con rejas"],
  },
  {
    localidad: "Avellaneda",
    streets: ["Av. Mitre", "Alsina", "Lavalle", "Av. Belgrano", "Italia"],
    unsplit: ["Mercado de Abasto, puesto 8", "Barrio La Saladita mz 2 casa 7"],
  },
];

const notes = ["Timbre roto, llamar", "Portón verde", "Dejar en portería", "Casa con rejas, perro manso"];

/** Returns the town in which a branch delivers: those of the scenarios have one of their own. */
function findTown(branch: string): Town {
  const known: Readonly<Record<string, Town>> = { demo: capital, norte: north };
  return (Object.hasOwn(known, branch) && known[branch]) || (towns[hash(branch) % towns.length] ?? capital);
}

export const noHome = { calle: null, numero: null, piso_depto: null, localidad: null, referencia: null };
export const noPhone = { telefono_pais: null, telefono_area: null, telefono_numero: null };

const joinParts = (parts: readonly unknown[], by: string): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(by);

/** A home on one line, as `delivery_address` has it. */
export const formatHome = ({
  calle,
  numero,
  piso_depto,
  localidad,
}: Readonly<Record<string, unknown>>): string =>
  joinParts([joinParts([calle, numero], " "), piso_depto, localidad], ", ");

export function drawAddress(from: Draw, branch: string): Pick<Order, "delivery_address" | "domicilio"> {
  const { localidad, streets, unsplit } = findTown(branch);
  if (from.chance(0.12)) return { delivery_address: from.pick(unsplit), domicilio: noHome };

  const calle = from.pick(streets);
  const numero = String(from.int(12, 3999));
  const piso_depto = from.chance(0.5) ? `${from.int(1, 14)} ${from.pick(["A", "B", "C", "D"])}` : null;
  const referencia = from.chance(0.3) ? from.pick(notes) : null;
  const domicilio = { calle, numero, piso_depto, localidad, referencia };
  return { delivery_address: formatHome(domicilio), domicilio };
}

export function drawCustomer(from: Draw): Order["cliente"] {
  const local = String(from.int(20_000_000, 69_999_999));
  const nombre = from.chance(0.06) ? null : `${from.pick(firstNames)} ${from.pick(surnames)}`;
  const parts = { telefono_pais: "54", telefono_area: "11", telefono_numero: local };
  return { nombre, telefono: `+54911${local}`, ...parts };
}
