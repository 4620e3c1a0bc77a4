/** Capital letters and digits alone, one blank between words: no accent, no punctuation, no emoji. */
export const plainWords = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Words that carriers (CTIA, Twilio, AWS), the platform's own button and the shops of a language ask for: as a whole message they opt out. */
const plainRefusals = [
  // Carriers everywhere; ARRET is Canada's.
  ...["STOP", "STOPALL", "STOP ALL", "UNSUBSCRIBE", "UNSUBSCRIBE ME", "QUIT", "REVOKE", "ARRET"],
  ...["OPTOUT", "OPT OUT", "OPT ME OUT", "DO NOT DISTURB", "DO NOT CONTACT ME", "REMOVE ME", "TAKE ME OFF"],
  // Spanish.
  ...[
    "BAJA",
    "DAR DE BAJA",
    "DARME DE BAJA",
    "DARSE DE BAJA",
    "DAME DE BAJA",
    "DENME DE BAJA",
    "DEME DE BAJA",
  ],
  ...["QUIERO DARME DE BAJA", "NO MOLESTAR", "NO MOLESTEN", "CANCELAR", "CANCELAR SUSCRIPCION", "REMOVER"],
  ...["DESUSCRIBIR", "DESUSCRIBIRME", "DESUSCRIBIRSE", "DESUSCRIBEME", "DESUSCRIBIME", "DESUSCRIBANME"],
  ...["DESUSCRIPCION", "DETENER", "PARAR", "PARE", "NO ME ESCRIBAN MAS"],
  // Portuguese.
  ...[
    "SAIR",
    "SAIR DA LISTA",
    "DESCADASTRAR",
    "DESCADASTRE",
    "DESCADASTRO",
    "ME DESCADASTRE",
    "DESINSCREVER",
  ],
  ...["CANCELAR INSCRICAO", "CANCELAR CADASTRO", "CANCELAR ASSINATURA", "NAO PERTURBE", "NAO PERTURBAR"],
  ...["NAO QUERO RECEBER", "NAO QUERO MAIS RECEBER", "NAO QUERO RECEBER MAIS"],
  // French.
  ...[
    "ARRETER",
    "ARRETEZ",
    "DESABONNER",
    "ME DESABONNER",
    "SE DESABONNER",
    "DESABONNEZ MOI",
    "DESABONNEMENT",
  ],
  ...["DESINSCRIRE", "ME DESINSCRIRE", "DESINSCRIPTION", "DESINSCRIVEZ MOI", "NE PLUS RECEVOIR"],
];

/** Refusals of what is sent, which the platform's button has too: `Stop promotions`, `Detener promociones`, `Parar promoções`, `Arrêter les promotions`. */
const refusedThings: readonly { refusals: readonly string[]; things: readonly string[] }[] = [
  {
    refusals: ["STOP", "STOP ALL", "STOP SENDING", "STOP SENDING ME", "NO MORE"],
    things: ["MESSAGES", "TEXTS", "PROMOTIONS", "PROMOS", "OFFERS", "MARKETING"],
  },
  {
    refusals: [
      ...[
        "NO MAS",
        "NO QUIERO",
        "NO QUIERO MAS",
        "NO QUIERO RECIBIR",
        "NO QUIERO RECIBIR MAS",
        "NO RECIBIR MAS",
      ],
      ...["NO ENVIAR MAS", "NO MANDAR MAS", "NO ME ENVIEN MAS", "NO ME MANDEN MAS", "DETENER", "DETENER LAS"],
      ...["DETENER LOS", "PARAR", "PARAR LAS", "PARAR LOS", "BASTA DE"],
    ],
    things: ["MENSAJES", "PROMOCIONES", "PROMOS", "OFERTAS", "PUBLICIDAD", "PUBLICIDADES"],
  },
  {
    refusals: [
      ...[
        "NAO QUERO",
        "NAO QUERO MAIS",
        "NAO QUERO RECEBER",
        "NAO QUERO RECEBER MAIS",
        "NAO QUERO MAIS RECEBER",
      ],
      ...["NAO ENVIAR MAIS", "NAO ENVIEM MAIS", "PARAR", "PARAR AS", "INTERROMPER", "CHEGA DE"],
    ],
    things: ["MENSAGENS", "PROMOCOES", "OFERTAS", "PROPAGANDA", "PROPAGANDAS"],
  },
  {
    refusals: [
      "STOP",
      "STOP AUX",
      "ARRETER",
      "ARRETER LES",
      "ARRETEZ LES",
      "STOPPER LES",
      "NE PLUS RECEVOIR DE",
    ],
    things: ["MESSAGES", "PROMOTIONS", "PROMOS", "OFFRES", "PUBLICITES"],
  },
];

/** Carriers' words that mean something else in English: somebody cancels an order. */
const everydayInEnglish = ["CANCEL", "END", "REMOVE"];

/** Words that may be a refusal as a whole message, and mean something else in their own language. */
const doubtfulAlone = [
  ...[
    "ALTO",
    "BASTA",
    "SALIR",
    "SALIRME",
    "QUITAR",
    "BORRAR",
    "ELIMINAR",
    "ANULAR",
    "FIN",
    "FIM",
    "NO MAS",
    "YA NO",
  ],
  ...["ANNULER", "RESILIER", "LEAVE"],
];

/** Beginnings of words and phrases in a message that may be a refusal. `¦` is the end of a word. */
const doubtfulParts = [
  ...["STOP", "UNSUB", "OPTOUT", "OPT(ED|ING)?( ME)? OUT¦", "REVOK", "REVOC", "CANCEL", "REMOV", "REMUEV"],
  ...["DESUSCRI", "DESINSCR", "DESCADASTR", "DESABON", "ARRET", "DETEN(ER|GA|ED|LA|LO|ME)", "PARE[NM]¦"],
  // Spanish: whoever asks in a sentence.
  ...[
    "(BAJ|QUIT|BORR|ELIMIN|SAC)[AE](N|R)?ME¦",
    "(BORR|ELIMIN|QUIT|SAC|SALI)[^ ]* (DE )?(LA|ESTA|SU|MI) (LISTA|NUMERO)",
  ],
  ...["NO (ME |NOS )?MOLEST", "NO (ME |NOS )?(MANDE|ENVIE|ESCRIBA|CONTACTE)[NS]?¦"],
  ...[
    "NO (QUIERO|DESEO|QUEREMOS)( [^ ]+){0,2} (MAS|RECIBIR)¦",
    "(NO MAS|BASTA DE|NO QUIERO( SUS)?) (MENSAJ|PROMO|OFERT|PUBLI)",
  ],
  ...["DEJ(A|E|EN|AR) DE (MAND|ENVI|ESCRIB|MOLEST|RECIB)"],
  // Portuguese.
  ...[
    "NAO (ME )?PERTURB",
    "NAO (ME )?(MANDE|ENVIE|ESCREVA|CONTATE)M?¦",
    "NAO (QUERO|DESEJO)( [^ ]+){0,2} (MAIS|RECEBER)¦",
  ],
  ...["PAR(A|E|EM) DE (ME )?(MAND|ENVI|ESCREV)", "ME (TIR|EXCLU)(A|E)M?¦"],
  // English and French.
  ...["NO MORE (MESSAGE|TEXT|PROMO|OFFER)", "(DO NOT|DON T|DONT) (TEXT|MESSAGE|SEND|CONTACT|WRITE|DISTURB)"],
  ...["TAKE ME OFF¦", "LEAVE ME ALONE¦", "NE ([^ ]+ ){0,3}PLUS¦", "PLUS DE (MESSAGE|PROMO|OFFRE|PUB|SMS)"],
];

const inMessage = new RegExp(`(?:^| )(?:${doubtfulParts.join("|").replaceAll("¦", "(?= |$)")})`);
const withoutBlanks = (text: string): string => text.replaceAll(" ", "");

/** `everyday`: refused, unless the word has another meaning where the person lives. */
export type RefusalKind = "refused" | "everyday" | "doubtful";

/** Returns what a message says of messages; undefined where it is about something else. Nobody opts out by a guess, and nothing plain is missed. */
export function refusalKinds(own: readonly string[]): (text: string) => RefusalKind | undefined {
  const things = refusedThings.flatMap((each) =>
    each.refusals.flatMap((refusal) => each.things.map((thing) => `${refusal} ${thing}`)),
  );
  const words = new Set([...plainRefusals, ...things, ...own.map(plainWords)]);
  const everyday = new Set(everydayInEnglish.filter((word) => !words.has(word)));
  const known = [...words, ...everyday];
  const joined = new Set(known.map(withoutBlanks));
  const alone = new Set(doubtfulAlone);

  return (text) => {
    const plain = plainWords(text);
    // Letters apart, dotted (`b a j a`, `B.A.J.A.`), or drawn out (`STOOOP`).
    const spelled = plain.replace(/(?<![^ ])(?:[^ ] ){2,}[^ ](?![^ ])/gu, withoutBlanks);
    const message = words.has(plain) ? plain : spelled.replace(/(.)\1{2,}/gu, "$1");
    if (everyday.has(message)) return "everyday";
    if (words.has(message)) return "refused";
    const isKnown = joined.has(withoutBlanks(message));
    if (isKnown && /^(?:[^ ] )+[^ ]$/u.test(plain)) return "refused";
    const holds = known.some((word) => ` ${message} `.includes(` ${word} `));
    return isKnown || holds || alone.has(message) || inMessage.test(message) ? "doubtful" : undefined;
  };
}
