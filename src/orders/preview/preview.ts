import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import { checkOutputFile, writeNamedFile } from "../../cli/files/named-files.ts";
import { layoutPath, readPaperSettings } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import type { Order } from "../../contract/order.ts";
import { drawPaper, readPaper } from "../../delivery/paper.ts";
import { writePng } from "../../delivery/png.ts";
import type { Texts } from "../../i18n/en.ts";
import { type Settings, traceSettings } from "../../settings/settings.ts";
import { openLayout } from "../show/layout.ts";
import { orderReceipt } from "../show/receipt.ts";
import { checkOrderId, findOrder } from "../show/show.ts";
import type { PreviewFlags } from "./command.ts";
import { paperText } from "./view.ts";

const formats = ["table", "json", "ndjson"] as const;

/** A delivery with all that a receipt may hold. */
export function sampleOrder({ preview: { sample } }: Pick<Texts, "preview">, now: number): Order {
  const [first, second] = sample.items;
  const option = (nombre: string, precio_adicional: number) => ({ codigo: null, nombre, precio_adicional });
  const line = (nombre: string | undefined, cantidad: number, precio_unitario: number, extra: object[]) => ({
    codigo: null,
    nombre,
    cantidad,
    precio_unitario,
    subtotal: cantidad * precio_unitario,
    opciones: extra,
  });
  return {
    order_id: 1042,
    created_at: now,
    created_at_iso: new Date(now).toISOString(),
    status: "pendiente",
    delivery_type: "delivery",
    delivery_address: null,
    domicilio: {
      calle: sample.street,
      numero: "742",
      piso_depto: "2 B",
      localidad: sample.city,
      referencia: sample.note,
    },
    cliente: { nombre: sample.name, telefono: "+5493515551234" },
    pago: { modo: "en_entrega", pagado: false, monto: 31_500 },
    costo_envio: 1_000,
    total: 31_500,
    lineas: [line(first, 2, 12_250, [option(sample.option, 250)]), line(second, 3, 2_000, [])],
  } as unknown as Order;
}

interface Asked {
  runtime: Runtime;
  flags: PreviewFlags;
  output: Output;
  settings: Settings;
  branch?: string;
}

/** Draws the receipt that `orders show --print` would send, but that it is no reprint. */
async function draw(
  found: Order | undefined,
  { runtime, flags, output, settings, branch }: Asked,
): Promise<void> {
  const { system } = runtime;
  const { paper, language } = readPaperSettings(flags, settings);
  const path = layoutPath(flags, settings);
  const layout = await openLayout(system, path);
  const order = found ?? sampleOrder(layout?.texts ?? runtime.outTexts, system.clock.now());
  const options = { paper, language, drawer: false, beep: false };
  const bytes = orderReceipt(order, { ...options, ui: output.ui, branch, layout });

  const lines = readPaper(bytes, options);
  const picture = drawPaper(lines, paper);
  const { png } = flags;
  if (png !== undefined) await writeNamedFile(system, png, writePng(picture), { isNew: false });

  const { width, height } = picture;
  if (output.format !== "table") {
    const about = { order_id: found?.order_id ?? null, paper, printer_language: language };
    return output.document({
      ...about,
      layout: path ?? null,
      png: png ?? null,
      width,
      height,
      bytes: bytes.length,
    });
  }
  await output.data(paperText(lines, paper, output.ui));
  if (png !== undefined) await output.notice(output.texts.preview.kept(png, String(width), String(height)));
}

export async function preview(runtime: Runtime, id: string | undefined, flags: PreviewFlags): Promise<void> {
  const { system, signal } = runtime;
  if (id !== undefined) checkOrderId(id);
  if (flags.png !== undefined)
    await checkOutputFile(system, { flag: "--png", file: flags.png, input: undefined });

  if (id === undefined) {
    const { settings } = await traceSettings(system, runtime.flags, { journal: false });
    const badge = chooseBadge({ isMock: false, sandbox: settings.sandbox });
    const { currency, locale } = settings;
    const output = openOutput(runtime, formats, { money: { currency, locale }, badge });
    return draw(undefined, { runtime, flags, output, settings });
  }
  await withSession(runtime, { address: "base_url", formats }, async (session) => {
    const { client, output, settings, branchName: branch } = session;
    await draw(await findOrder(client, id, signal), { runtime, flags, output, settings, branch });
  });
}
