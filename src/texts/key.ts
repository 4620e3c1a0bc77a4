/** The key of a message in the catalogs that are built: shorter than the message. FNV-1a, 32 bits; the build fails if two are the same. */
export function keyOf(message: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < message.length; at += 1) hash = Math.imul(hash ^ message.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
