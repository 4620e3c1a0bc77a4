import { type CostReason, defineReasons, knownOfCost } from "../shared/errors.ts";
import { fileName } from "./files.ts";

/** The reasons that are about what a campaign costs, in Spanish. */
export const costErrors = defineReasons<CostReason>()(knownOfCost(fileName))({
  cost_unknown: {
    what: {
      lacking: "La tarifa no tiene precio para {lacking}: {people|destinatario|destinatarios}.",
      else: "El perfil no tiene tarifa.",
    },
    why: "--max-cost necesita el precio de cada mensaje. No se mandó nada.",
    next: {
      lacking:
        "‹Agrega› un precio, o * para los demás países, con `bpos profile rates ARCHIVO`; --dry-run muestra los países.",
      else: "‹Guarda› una con `bpos profile rates ARCHIVO`, o ‹quita› --max-cost.",
    },
  },
  cost_too_high: {
    what: "Costaría {cost} {currency}, y --max-cost es {maxCost}.",
    why: "Según la tarifa del perfil, los mensajes cuestan más de lo que permite --max-cost. No se mandó nada.",
    next: "--dry-run muestra el costo por país. Para mandarlo, ‹usa› un --max-cost mayor.",
  },
  rates_unusable: {
    what: {
      fault: {
        no_currency: "{file}: la tarifa no dice la moneda.",
        no_prices: "{file}: la tarifa no tiene ningún precio.",
        currency: '{file}: "{text}" no es una moneda.',
        country: '{file}: "{text}" no es un país.',
        country_twice: "{file}: la tarifa nombra {text} dos veces.",
        price: '{file}: "{text}" no es el precio de un mensaje.',
      },
    },
    why: "Una tarifa es una moneda y, por país, el precio de un mensaje, como 0.0618; * es para los demás. No se mandó nada.",
    next: "‹Corrígela› y ‹corre› `bpos profile rates ARCHIVO`; `bpos profile rates --help` muestra un ejemplo.",
  },
});
