import type { LayoutProblem } from "../../errors/problems.ts";
import type { preview as enPreview } from "../en/layout.ts";
import { advice } from "../template.ts";

const asPng = "Tiene que ser un PNG sin entrelazar, negro sobre blanco.";

/** Qué tiene de malo el diseño de un ticket, como parte de una oración, y qué hacer. */
export const layoutWords = advice<LayoutProblem>()({
  not_json: { what: "no es JSON ({detail})", next: "`bpos schema layout` describe el archivo." },
  unknown_key: {
    what: 'un diseño no tiene la clave "{key}"',
    next: { similar: "Lo correcto es {similar}.", else: "Sus claves: {keys}." },
  },
  wrong_value: {
    what: { path: "el valor de {path} no sirve", else: "no es un objeto JSON" },
    next: {
      expected: "Admite {expected}.",
      else: "Admite una lista de hasta 10 textos, cada uno de hasta 200 caracteres.",
    },
  },
  block_missing: {
    what: "blocks deja fuera {block}, que todo ticket necesita",
    next: 'Falta "{block}" en blocks; solo totals puede faltar.',
  },
  block_twice: { what: "blocks tiene {block} dos veces", next: 'Sobra un "{block}".' },
  logo_not_png: { what: "el logo {logo} no es un PNG", next: asPng },
  logo_damaged: { what: "el logo {logo} está dañado", next: asPng },
  logo_interlaced: {
    what: "el logo {logo} está entrelazado, con menos de 8 bits por punto",
    next: "Tiene que ser un PNG sin entrelazar.",
  },
  logo_too_large: {
    what: "el logo {logo} pasa de {maxSide} × {maxSide} puntos o de {maxBytes:MiB} MiB",
    next: "Tiene que ser más chico: el papel de 80 mm muestra 576 puntos.",
  },
});

export const preview: typeof enPreview = {
  kept: (file, width, height) => `${file}: ${width} × ${height} puntos.`,
  sample: {
    name: "Íñigo Peña",
    street: "Güemes",
    city: "Córdoba",
    note: "Timbre roto: ¡golpear!",
    items: ["Pizza muzzarella", "Empanada de carne picante"],
    option: "Extra queso",
  },
};
