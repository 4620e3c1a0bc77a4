/** Texts by their topic: the command loads the file of a topic when it is first asked for (`build/lazy.ts`). */
export function byTopic<T extends Readonly<Record<string, () => unknown>>>(
  topics: T,
): { readonly [K in keyof T]: ReturnType<T[K]> } {
  const texts = {};
  for (const [name, get] of Object.entries(topics))
    Object.defineProperty(texts, name, { get, enumerable: true });
  return texts as { readonly [K in keyof T]: ReturnType<T[K]> };
}
