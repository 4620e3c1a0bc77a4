import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, phone } from "../../support/campaigns.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { home } from "../../support/profiles.ts";
import { shell, temporaryFolder } from "../../support/run.ts";

type Entry = Record<"phone" | "at" | "source" | "text", string>;

/** A listener, and what its journal holds of who answered so. */
const listening = (...flags: string[]) => listeningIn(shell(), ...flags);

async function listeningIn(run: ReturnType<typeof shell>, ...flags: string[]) {
  const listener = await listenIn(run, ["-o", "ndjson", ...flags]);
  const json = async (verb: string) =>
    JSON.parse((await run(["campaign", "optout", verb, "--json"])).stdout) as Record<string, Entry[]>;
  const answer = async (body: unknown): Promise<void> => {
    expect((await postReply(listener.url, body)).status).toBe(200);
  };
  const phones = (entries: Entry[] = []): string[] => entries.map((each) => each.phone);
  return {
    listener,
    answer,
    say: (n: number, text: string) => answer({ campaign_id: "c", phone: phone(n), text }),
    optedOut: async () => phones((await json("list"))["opt_outs"]),
    doubtful: async () => phones((await json("review"))["doubtful"]),
    list: async () => (await json("list"))["opt_outs"],
  };
}

describe("a reply that is a refusal as a whole", () => {
  it.each([
    "BAJA",
    "baja",
    " ¡Baja!\n",
    "Bája.",
    "b\u200baja 🙏🏽",
    "ＢＡＪＡ",
    "Stop",
    "no  molestar…",
    "No, molestar",
    "CANCELAR",
    "desuscribir",
    "Remover",
    "PARAR",
    "paré",
  ])("opts the person out: %j", async (text) => {
    const { say, list, doubtful } = await listening();
    await say(1, text);
    expect(await list()).toMatchObject([{ phone: phone(1), source: "reply", text }]);
    expect(await doubtful()).toEqual([]);
  });

  it("is the platform's own button, in each shape that a reply has", async () => {
    const { answer, optedOut } = await listening();
    const button = (n: number, rest: object) => answer({ messages: [{ from: phone(n), ...rest }] });
    await button(1, { type: "button", button: { payload: "Stop promotions", text: "Stop promotions" } });
    const pressed = { type: "button_reply", button_reply: { id: "7", title: "Detener promociones" } };
    await button(2, { type: "interactive", interactive: pressed });
    const row = { type: "list_reply", list_reply: { id: "7", title: "Parar promoções", description: "…" } };
    await button(3, { type: "interactive", interactive: row });
    await answer({ phone: phone(4), title: "Reply", message: { text: "Arrêter les promotions" } });
    expect(await optedOut()).toEqual([phone(1), phone(2), phone(3), phone(4)]);
  });

  it("is CANCEL, END or REMOVE where that is no word of the country, else somebody decides", async () => {
    const { answer, optedOut, doubtful } = await listening();
    const [spanish, brazilian, english, caribbean] = [
      "+5491150000017",
      "+5511987650001",
      "+12025550123",
      "+18095550123",
    ];
    for (const text of ["CANCEL", "End."])
      for (const from of [spanish, brazilian, english, caribbean]) await answer({ from, text });
    await answer({ from: "+447911123456", text: "remove" });
    expect(await optedOut()).toEqual([spanish, brazilian, caribbean]);
    expect([...new Set(await doubtful())]).toEqual([english, "+447911123456"]);
  });

  it("does so before it is answered, whatever becomes of the outputs", async () => {
    const { say, optedOut, listener } = await listening("--exec", "exit 1");
    await say(1, "BAJA");
    expect(await optedOut()).toEqual([phone(1)]);
    const { stderr } = await listener.stop();
    expect(stderr).toContain(`${phone(1)} opted out`);
  });

  it("is the person's in every form of the phone, wherever it stands, of each in a list", async () => {
    const { answer, optedOut } = await listening();
    await answer({ messages: [{ from: "5491150000017", text: { body: "BAJA" } }] });
    await answer([
      { phone: "+54 11 5000-0027", text: "BAJA" },
      { phone: "+5491150000037", text: "STOP" },
    ]);
    expect(await optedOut()).toEqual(["+5491150000017", "+5491150000027", "+5491150000037"]);
  });

  it.each([
    ["+54 9 11 5000-0017 ext. 5"],
    ["whatsapp:+5491150000017"],
    ["5491150000017:12@s.whatsapp.net"],
    ["0054 9 11 5000 0017"],
  ])("is the person's with what stands around the phone: %s", async (from) => {
    const { answer, optedOut } = await listening();
    await answer({ from, text: "BAJA" });
    expect(await optedOut()).toEqual(["+5491150000017"]);
  });

  it("opts out everybody whose phone it may be, in the countries of all profiles", async () => {
    const { run, write } = home();
    write({ profiles: { centro: { country: "MX" }, sur: { country: "AR" }, norte: {} }, default: "norte" });
    const { answer, optedOut } = await listeningIn(run);
    await answer({ phone: "6561234567", text: "BAJA" });
    await answer({ phone: "011 15 5000-0017", text: "BAJA" });
    await answer({ phone: "+6567654321", text: "BAJA" });
    expect(await optedOut()).toEqual(["+6561234567", "+526561234567", "+5491150000017", "+6567654321"]);
  });

  it("is found among others of one body, however deep", async () => {
    const { answer, optedOut, doubtful } = await listening();
    const say = (n: number, body: string) => ({ from: phone(n), text: { body } });
    const messages = [say(1, "hola"), say(2, "BAJA"), say(3, "la baja por favor"), say(4, "STOP")];
    await answer({ campaign_id: "c", entry: [{ changes: [{ value: { messages } }] }] });
    expect([await optedOut(), await doubtful()]).toEqual([[phone(2), phone(4)], [phone(3)]]);
  });

  it("is of nobody else who is named in the body, and of whoever is named above it", async () => {
    const { answer, optedOut } = await listening();
    const replies = [
      { phone: phone(1), status: "read" },
      { phone: phone(2), text: "BAJA" },
    ];
    await answer({ replies });
    await answer({ entry: [{ changes: [{ replies }] }] });
    expect(await optedOut()).toEqual([phone(2)]);
    await answer({ phone: phone(3), text: "hola", messages: [{ text: "BAJA" }] });
    await answer({ contact: { phone: phone(4) }, messages: [{ text: "hola" }, { text: "STOP" }] });
    expect(await optedOut()).toEqual([phone(2), phone(3), phone(4)]);
  });

  it("of nobody who is known is said loudly", async () => {
    const { answer, optedOut, listener } = await listening();
    await answer({ campaign_id: "c", text: "BAJA" });
    expect(await optedOut()).toEqual([]);
    expect((await listener.stop()).stderr).toContain("An opt-out reply has no readable phone");
  });
});

describe("a reply that contains a word of refusal", () => {
  it.each(["la baja por favor", "STOP STOP", "no molestar más", "¿cómo me doy de baja?"])(
    "waits for a decision: %j",
    async (text) => {
      const { say, optedOut, doubtful, listener } = await listening();
      await say(1, text);
      await say(1, text);
      expect([await optedOut(), await doubtful()]).toEqual([[], [phone(1)]]);
      expect((await listener.stop()).stderr).toContain("bpos campaign optout review");
    },
  );

  it.each(["Sí", "trabaja", "bajada", "molestar", "no", "", "👍"])("not otherwise: %j", async (text) => {
    const { say, optedOut, doubtful } = await listening();
    await say(1, text);
    expect([await optedOut(), await doubtful()]).toEqual([[], []]);
  });
});

describe("--opt-out-words", () => {
  it("adds words to those that are known", async () => {
    const file = join(temporaryFolder(), "words.txt");
    writeFileSync(file, "Sair\r\n\nno quiero más\n");
    const { say, optedOut, doubtful } = await listening("--opt-out-words", file);
    await say(1, "SAIR!");
    await say(2, "no quiero mas");
    await say(3, "BAJA");
    await say(4, "quero sair");
    expect(await optedOut()).toEqual([phone(1), phone(2), phone(3)]);
    expect(await doubtful()).toEqual([phone(4)]);
  });

  it.each(["", "\n", "baja\n¡!\n"])("refuses a file that says none: %j", async (text) => {
    const file = join(temporaryFolder(), "words.txt");
    writeFileSync(file, text);
    const { code, stderr } = await shell()(["campaign", "listen", "--opt-out-words", file, "-o", "ndjson"]);
    expect(code).toBe(2);
    expect(errorOf(stderr)["reason"]).toMatch(/usage_flag|input_unusable/);
  });
});
