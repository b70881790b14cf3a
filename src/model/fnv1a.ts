/** FNV-1a, 32 bits, of UTF-16 units. It is unfit for secrets: a text with the same hash is easy to find. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Eight hexadecimal digits. */
export const fnv1aHex = (text: string): string => fnv1a(text).toString(16).padStart(8, '0');
