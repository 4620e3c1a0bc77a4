import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusalKinds } from "../../../src/campaigns/listen/refusal-words.ts";

const kindOf = refusalKinds([]);
const kinds = (texts: readonly string[]) => texts.map((text) => [text, kindOf(text)]);
const all = (texts: readonly string[], kind: string | undefined) => texts.map((text) => [text, kind]);

const carriers = [
  "STOP",
  "STOPALL",
  "STOP ALL",
  "UNSUBSCRIBE",
  "QUIT",
  "REVOKE",
  "OPTOUT",
  "OPT OUT",
  "OPT-OUT",
  "ARRET",
];
const buttons = [
  "Stop promotions",
  "Detener promociones",
  "Parar promoções",
  "Interromper promoções",
  "Arrêter les promotions",
];
const spanish = [
  ...[
    "BAJA",
    "Dar de baja",
    "darme de baja",
    "Desuscribirme",
    "desuscribir",
    "CANCELAR",
    "Detener",
    "PARAR",
    "Pare",
  ],
  ...["no más mensajes", "No quiero recibir más mensajes", "no quiero promociones", "Cancelar suscripción"],
];
const portuguese = [
  ...["SAIR", "Descadastrar", "CANCELAR INSCRIÇÃO", "Não quero mais receber mensagens", "não perturbe"],
];
const french = [
  "ARRÊT",
  "Arrêter",
  "Désabonner",
  "me désinscrire",
  "Stop aux promos",
  "Ne plus recevoir de messages",
];
const plain = [...carriers, ...buttons, ...spanish, ...portuguese, ...french];

describe("a whole message", () => {
  it("that carriers, the platform's button and each language ask for opts out", () => {
    expect(kinds(plain)).toEqual(all(plain, "refused"));
  });

  it("whose letters stand apart, are dotted or drawn out, opts out", () => {
    const texts = [
      "b a j a",
      "B.A.J.A.",
      "s-t-o-p",
      "S  T  O  P!",
      "s t o p a l l",
      "STOOOP",
      "bajaaaa",
      "n o m á s m e n s a j e s",
    ];
    expect(kinds(texts)).toEqual(all(texts, "refused"));
  });

  it("with another meaning in its own language is doubtful", () => {
    const texts = ["Alto", "salir", "FIN", "fim", "annuler", "Résilier", "eliminar", "basta", "no más"];
    expect(kinds(texts)).toEqual(all(texts, "doubtful"));
    expect(kinds(["CANCEL", "end", "Remove."])).toEqual(all(["CANCEL", "end", "Remove."], "everyday"));
  });
});

describe("a message among whose words there is one of refusal", () => {
  it.each([
    ...[
      "unsubscribe me please",
      "STOPPED",
      "please stop texting",
      "un subscribe",
      "ba ja",
      "cancel my order",
      "the end",
    ],
    ...[
      "cancelen mi pedido",
      "¿cómo me desuscribo?",
      "bájenme de la lista",
      "quítenme de su lista",
      "por favor, detengan esto",
    ],
    ...[
      "no me manden más nada",
      "dejen de escribirme",
      "no quiero recibir nada",
      "B.A.J.A. por favor",
      "borren mi número",
    ],
    ...[
      "quero sair",
      "não me mandem mais",
      "pare de me enviar isso",
      "quero me descadastrar",
      "me tira dessa lista",
    ],
    ...["arrêtez ça", "je veux me désabonner", "ne m'envoyez plus rien", "plus de promotions"],
    ...["opted out", "I opt out", "take me off it", "don't text me", "no more messages please"],
  ])("is doubtful: %s", (text) => {
    expect(kindOf(text)).toBe("doubtful");
  });

  it.each([
    ...[
      "hola",
      "¿A qué hora abren?",
      "no me mandaron el pedido",
      "¿envían a domicilio?",
      "no",
      "no gracias",
      "trabaja",
    ],
    ...[
      "el precio bajó",
      "bajada",
      "molestar",
      "todo bien",
      "parece caro",
      "¿sale caro?",
      "un weekend",
      "Optica Sur",
    ],
    ...[
      "quiero dos docenas",
      "obrigado",
      "saí ontem",
      "merci",
      "avec plus de fromage",
      "thanks",
      "stock?",
      "a b c",
      "",
    ],
  ])("is none otherwise: %s", (text) => {
    expect(kindOf(text)).toBeUndefined();
  });
});

const between = fc.constantFrom("", "", "", "\u0301", "\u0303", "\u200b", "\ufe0f");
const around = fc.stringMatching(/^[ \t\n.,;:!¡¿?'"()*_~-]{0,4}(🙏)?[ .!]{0,2}$/);
const gap = fc.constantFrom(" ", "  ", "\n", " - ", ". ", "_", "…");

/** A word as people write it: any case, accents and invisible signs anywhere, punctuation around it. */
const written = (word: string): fc.Arbitrary<string> =>
  fc
    .record({
      signs: fc.array(fc.tuple(fc.boolean(), between), { minLength: word.length, maxLength: word.length }),
      blank: gap,
      before: around,
      after: around,
    })
    .map(({ signs, blank, before, after }) => {
      const letters = Array.from(word).map((letter, at) => {
        const [isUpper, sign] = signs[at] ?? [false, ""];
        if (letter === " ") return blank;
        return (isUpper ? letter.toUpperCase() : letter.toLowerCase()) + sign;
      });
      return before + letters.join("") + after;
    });

const anyPlain = fc.constantFrom(...plain);

describe("whatever its accents, case, punctuation and spacing", () => {
  it("a plain word opts out", () => {
    fc.assert(
      fc.property(anyPlain.chain(written), (text) => {
        expect(kindOf(text)).toBe("refused");
      }),
    );
  });

  it("a plain word opts out with its letters apart", () => {
    const apart = fc
      .tuple(anyPlain, fc.constantFrom(" ", ".", "-", " . ", "*"))
      .map(([word, sign]) => Array.from(word.normalize("NFD").replace(/[^a-z]/gi, "")).join(sign));
    fc.assert(
      fc.property(apart, (text) => {
        expect(kindOf(text)).toBe("refused");
      }),
    );
  });

  it("a plain word among others is never missed", () => {
    const other = fc.constantFrom(
      "hola",
      "por favor",
      "gracias",
      "quiero",
      "please",
      "je veux",
      "o pedido",
      "12",
    );
    const sentence = fc.tuple(
      fc.array(other, { maxLength: 2 }),
      anyPlain.chain(written),
      fc.array(other, { maxLength: 2 }),
    );
    fc.assert(
      fc.property(sentence, ([before, word, after]) => {
        expect(kindOf([...before, word, ...after].join(" "))).toMatch(/^(refused|doubtful)$/);
      }),
    );
  });
});

describe("words of the shop's own", () => {
  it("opt out as a whole, also what is doubtful or everyday without them", () => {
    const own = refusalKinds(["Cancel", "salir", "chau promos", "1"]);
    expect(["CANCEL", "Salir", "¡chau promos!", "1", "END"].map(own)).toEqual([
      ...Array.from({ length: 4 }, () => "refused"),
      "everyday",
    ]);
    expect(["chau promos, gracias", "el 1", "11"].map(own)).toEqual(["doubtful", "doubtful", undefined]);
  });
});
