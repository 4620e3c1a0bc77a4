import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import { checkOutputFile, writeNamedFile } from "../../cli/files/named-files.ts";
import { layoutPath, readPaperSettings } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import type { Order } from "../../contract/order.ts";
import { drawReceipt, openLayout } from "../../printing/printing.ts";
import { type Settings, traceSettings } from "../../settings/settings.ts";
import type { T } from "../../texts/texts.ts";
import { checkOrderId, findOrder } from "../find-order.ts";
import type { PreviewFlags } from "./command.ts";
import type { PreviewReport } from "./report.ts";

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
    const { client, output, settings, branchName } = session;
    await draw(await findOrder(client, id, signal), { runtime, flags, output, settings, branchName });
  });
}

const formats = ["table", "json", "ndjson"] as const;

interface Asked {
  runtime: Runtime;
  flags: PreviewFlags;
  output: Output;
  settings: Settings;
  branchName?: string;
}

/** Draws the receipt that `orders show --print` would send, without the mark of a reprint. */
async function draw(
  found: Order | undefined,
  { runtime, flags, output, settings, branchName }: Asked,
): Promise<void> {
  const { system } = runtime;
  const { paper, language } = readPaperSettings(flags, settings);
  const path = layoutPath(flags, settings);
  const layout = await openLayout(system, path);
  const order = found ?? sampleOrder((layout?.texts ?? runtime.outTexts).t, system.clock.now());
  const options = { paper, language, drawer: false, beep: false };
  const receipt = await drawReceipt(order, { ...options, ui: output.ui, branchName, layout });
  const { png } = flags;
  if (png !== undefined) await writeNamedFile(system, png, receipt.png(), { isNew: false });

  const { width, height, bytes } = receipt;
  if (output.format !== "table") {
    const report: PreviewReport = {
      order_id: found?.order_id ?? null,
      paper,
      printer_language: language,
      layout: path ?? null,
      png: png ?? null,
      width,
      height,
      bytes,
    };
    return output.document(report);
  }
  await output.data(receipt.text(output.ui));
  if (png === undefined) return;
  const size = output.texts.t("{file}: {width} × {height} dots.", { file: png, width, height });
  await output.notice(size);
}

/** Returns a delivery with all that a receipt may hold. */
function sampleOrder(t: T, now: number): Order {
  const option = (nombre: string, precio_adicional: number) => ({ codigo: null, nombre, precio_adicional });
  const line = (
    nombre: string,
    cantidad: number,
    precio_unitario: number,
    extra: ReturnType<typeof option>[],
  ) => ({
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
      calle: "Güemes",
      numero: "742",
      piso_depto: "2 B",
      localidad: "Córdoba",
      referencia: t("Doorbell broken: knock!"),
    },
    cliente: { nombre: "Íñigo Peña", telefono: "+5493515551234" },
    pago: { modo: "en_entrega", pagado: false, monto: 31_500 },
    costo_envio: 1_000,
    total: 31_500,
    lineas: [
      line(t("Muzzarella pizza"), 2, 12_250, [option(t("Extra cheese"), 250)]),
      line(t("Empanada, hot beef"), 3, 2_000, []),
    ],
  };
}
