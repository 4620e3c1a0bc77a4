import type { Linea } from "../../../contract/order.ts";
import type { Draw } from "../random.ts";
import type { Product } from "./catalog.ts";

export const roundMoney = (amount: number): number => Math.round(amount * 100) / 100;

export function computeSubtotal(line: Pick<Linea, "cantidad" | "precio_unitario" | "opciones">): number {
  const options = line.opciones ?? [];
  const unit = options.reduce((sum, option) => sum + option.precio_adicional, line.precio_unitario);
  return roundMoney(unit * line.cantidad);
}

interface Kind {
  /** Matches its name and category, in lower case and without accents. */
  readonly pattern: RegExp;
  readonly options: readonly (readonly [nombre: string, precio_adicional: number])[];
  readonly quantities: readonly number[];
  /** The kind of product that can be an option of it, sold under its own code. */
  readonly beside?: KindName;
  /** No order consists only of this. */
  readonly extra?: true;
}
type KindName = "dessert" | "drink" | "empanada" | "pizza" | "sandwich" | "plate" | "side";

/** Wishes that people have with each kind of dish; the first kind that fits counts. */
const kinds: Readonly<Record<KindName, Kind>> = {
  dessert: {
    pattern: /postre|\bflan|helado|brownie|\btortas?\b|fruta/,
    options: [
      ["Con dulce de leche", 650],
      ["Con crema", 500.5],
      ["Dos cucharas", 0],
    ],
    quantities: [1, 1, 2],
    extra: true,
  },
  drink: {
    pattern: /bebida|gaseosa|\bagua\b|cerveza|limonada|\bvino|jugo/,
    options: [
      ["Bien frío", 0],
      ["Con hielo", 0],
    ],
    quantities: [1, 1, 2],
    extra: true,
  },
  empanada: {
    pattern: /empanada/,
    options: [
      ["Fritas", 0],
      ["Al horno", 0],
      ["Salsa picante", 350],
    ],
    quantities: [2, 3, 4, 6, 6],
    beside: "drink",
  },
  pizza: {
    pattern: /pizza|fugazz/,
    options: [
      ["Bien cocida", 0],
      ["Sin aceitunas", 0],
      ["Doble queso", 1200.5],
      ["Cortada en ocho", 0],
    ],
    quantities: [1, 1, 1, 2],
    beside: "drink",
  },
  sandwich: {
    pattern: /hamburg|lomito|choripan|s.ndwich|pancho/,
    options: [
      ["Sin cebolla", 0],
      ["Sin tomate", 0],
      ["Huevo frito", 900],
      ["Doble queso", 1200.5],
    ],
    quantities: [1, 1, 2],
    beside: "side",
  },
  plate: {
    pattern: /milanesa|suprema|\bbife|pollo|pasta|ravioles|noquis|\bplato/,
    options: [
      ["Bien cocida", 0],
      ["Sin sal", 0],
      ["Con puré", 0],
      ["Huevo frito", 900],
    ],
    quantities: [1, 1, 2],
    beside: "drink",
  },
  side: {
    pattern: /papas|ensalada|guarnici/,
    options: [
      ["Sin sal", 0],
      ["Salsa picante", 350],
      ["Para compartir", 0],
    ],
    quantities: [1, 1, 2],
    extra: true,
  },
};

/** The kind of goods that the mock does not know, a hardware store's for example: nobody asks for anything with them. */
const unknown: Kind = { pattern: /(?:)/, options: [], quantities: [1, 1, 1, 2, 3] };

const manualProducts = [
  ["Promo del día", 8500],
  ["Menú ejecutivo", 9900.9],
  ["Docena de empanadas surtidas", 15800],
] as const;

type Dish = Pick<Linea, "codigo" | "nombre" | "precio_unitario"> & { readonly kind: Kind };

function findKind(nombre: string, categoria: string | null): Kind {
  // A name may have any length.
  const text = `${nombre.slice(0, 100)} ${categoria?.slice(0, 100) ?? ""}`.toLowerCase();
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
  return Object.values(kinds).find(({ pattern }) => pattern.test(plain)) ?? unknown;
}

const toDish = ({ codigo, nombre, categoria, precio }: Product): Dish => ({
  codigo,
  nombre,
  precio_unitario: roundMoney(precio),
  kind: findKind(nombre, categoria),
});

/** The first of a few products that fits: a catalog may have 500,000. */
function findDish(from: Draw, products: readonly Product[], fits: (dish: Dish) => boolean): Dish | undefined {
  for (let tries = 0; tries < 8; tries += 1) {
    const dish = toDish(from.pick(products));
    if (fits(dish)) return dish;
  }
  return undefined;
}

function drawManual(from: Draw): Dish {
  const [nombre, precio_unitario] = from.pick(manualProducts);
  const kind = { ...findKind(nombre, null), quantities: [1, 1, 2] };
  return { codigo: null, nombre, precio_unitario, kind };
}

type Options = NonNullable<Linea["opciones"]>;

function drawOptions(from: Draw, { kind }: Dish, products: readonly Product[]): Options {
  if (!from.chance(0.35)) return [];

  const beside = kind.beside && kinds[kind.beside];
  const extra =
    beside && products.length > 0 && from.chance(0.4)
      ? findDish(from, products, (dish) => dish.kind === beside)
      : undefined;
  if (extra) {
    const nombre = `Con ${extra.nombre.slice(0, 1).toLowerCase()}${extra.nombre.slice(1)}`;
    return [{ codigo: extra.codigo, nombre, precio_adicional: extra.precio_unitario }];
  }

  if (kind.options.length === 0) return [];
  const [nombre, precio_adicional] = from.pick(kind.options);
  return [{ codigo: null, nombre, precio_adicional }];
}

/** One to four dishes, each on one line, with options of its kind; the first is no drink, side or dessert where there is another. */
export function drawLines(from: Draw, products: readonly Product[]): Linea[] {
  const lines: Linea[] = [];
  const count = from.pick([1, 1, 2, 2, 3, 4]);
  for (let n = 0; n < count; n += 1) {
    const isManual = products.length === 0 || from.chance(0.1);
    const isNew = ({ nombre, codigo }: Dish): boolean =>
      lines.every((line) => line.nombre !== nombre && (codigo === null || line.codigo !== codigo));
    const isMain = (dish: Dish): boolean => n > 0 || !dish.kind.extra;
    const dish = isManual
      ? drawManual(from)
      : (findDish(from, products, (each) => isNew(each) && isMain(each)) ?? toDish(from.pick(products)));
    if (!isNew(dish)) continue;
    const { kind, ...sold } = dish;
    const opciones = drawOptions(from, dish, products);
    const line = { ...sold, cantidad: from.pick(kind.quantities), opciones };
    lines.push({ ...line, subtotal: computeSubtotal(line) });
  }
  return lines;
}
