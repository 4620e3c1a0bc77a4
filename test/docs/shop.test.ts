import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { textsIn } from "../../src/texts/texts.ts";
import { readable } from "../support/printed.ts";
import { fixture, root, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { sized } from "../support/soak.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";

/** The words of each line of a page's blocks, as somebody types them one after another. */
const linesOf = (page: string): string[][] =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = ""]) => block.trimEnd().split("\n"))
    .map((line) =>
      line
        .replace(/\s+#.*/, "")
        .split(/\s+/)
        .slice(1),
    );

const shopPages = [
  ["docs/es/tutorials/shop.md", "es", textsIn("es")],
  ["docs/tutorials/shop.md", "en", textsIn("en")],
] as const;
it.each(shopPages.slice(0, sized(1, 2)))(
  "%s leads from the questions of bpos init to the paper of a printer",
  async (page, lang, texts) => {
    const { mock } = await service();
    const printer = await virtualPrinter();
    const folder = temporaryFolder();
    for (const name of ["prices.xlsx", "precios.xlsx"])
      copyFileSync(fixture("catalog.xlsx"), join(folder, name));
    const [, layout = ""] = /^```json\n(.*?)^```/ms.exec(readFileSync(join(root, page), "utf8")) ?? [];
    writeFileSync(join(folder, "layout.json"), layout);
    copyFileSync(fixture("layouts/logo.png"), join(folder, "logo.png"));
    const run = shell({ terminal: 100, env: { BPOS_LANG: lang, NO_COLOR: "1" }, cwd: folder });
    const good = texts.t("All of it: one full row of digits, accents, a box, and a cut at the end");
    const answers = [
      ...["centro", mock.baseUrl, mock.campaignsBaseUrl, "bpk_demo_centro", "", texts.t("the real branch")],
      ...[true, printer.url, good],
    ];

    const waiting = (await mock.control.orders("demo")).filter(({ status }) => status === "pendiente");
    const [oldest] = waiting.map(({ order_id }) => String(order_id));
    let placed = "";
    let paper = 0;
    const codes: Record<string, number> = {};
    for (const words of linesOf(page)) {
      const argv = words.map((word) => (word.startsWith("tcp://192.168.1.5") ? printer.url : word));
      const line = words.join(" ");
      const isWatch = line.startsWith("orders watch");
      const isPrinted = line === "init" || line.startsWith("printer test") || line.endsWith("--printer");
      if (isPrinted) paper += 1;
      if (isWatch && isPrinted)
        placed = (await mock.control.placeOrders()).map(({ order_id }) => String(order_id)).join("");
      let stop = (): void => undefined;
      const { code, stdout, stderr } = await run(argv, {
        ...(line === "init" && { answers }),
        onStart(means) {
          stop = means;
          if (isWatch && isPrinted) void printer.printed(paper).then(stop);
        },
        onError(text) {
          // Whoever watches the screen has seen the orders.
          if (isWatch && !isPrinted && text.includes(oldest ?? "none")) stop();
        },
      });
      codes[line] = code;
      expect(stdout + stderr, line).not.toMatch(/Error:|✗/);
    }

    // A row of the list is rejected, so a push of it is done in part, and a watch was stopped.
    expect(Object.entries(codes).filter(([, code]) => code !== 0)).toEqual([
      ["orders watch --compact --late 10m", 130],
      ["orders watch --compact --late 10m --printer", 130],
      [expect.stringMatching(/^catalog check/), 3],
      [expect.stringMatching(/^catalog push/), 3],
    ]);
    const receipts = printer.receipts.map(readable);
    expect(printer.receipts.map(({ acts }) => acts)).toEqual(Array(paper).fill(["cut"]));
    expect(receipts[0]).toBe(receipts[1]);
    expect(receipts[2]).toContain(placed);
    expect(receipts[2]).toMatch(lang === "en" ? /COLLECT|PAID/ : /COBRAR|PAGADO/);
  },
);
