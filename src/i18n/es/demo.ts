import type { demo as en } from "../en/demo.ts";

/** The narration of `bpos demo`. */
export const demo: typeof en = {
  title: "Un paseo por bpos, con el mock que trae adentro. Acá nada es real.",
  push: "1. La lista de precios del local, como salió de la planilla. Las filas malas se nombran, el resto se manda.",
  list: "2. Los pedidos que esperan. Sus líneas traen los códigos del local.",
  watch: "3. Un cliente hace un pedido. El watch lo entrega, una sola vez.",
  send: "4. Una plantilla a los clientes de un archivo CSV. Los que no se pueden contactar aparecen con el motivo.",
  again: "5. El mismo archivo otra vez: a nadie le llega dos veces.",
  status: "6. Cinco minutos después: cómo siguió.",
  end: "Todo eso fue por HTTP. Ahora: `bpos mock` deja un mock andando, `bpos --help` muestra todos los comandos.",
};
