/** Payload ids as parts of file names. */

/** A file system allows 255 bytes for a whole name. */
const LONGEST = 100;
const ALLOWED = /[^\w.@+-]+/g;
/** Windows reserves these names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * `text` as a part of a file name that is valid on every system: no separator, no leading dot, no device, not too long. A
 * text that had to be changed beyond the `#` of an export gets a hash, so that two ids do not get one name.
 */
export function fileNamePart(text: string): string {
  const plain = text.replace(/#/g, '-');
  const safe = plain
    .replace(ALLOWED, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(DEVICE, '$&_')
    .slice(0, LONGEST);
  return safe === plain ? safe : [safe, hashOf(text)].filter((part) => part !== '').join('-');
}

/** FNV-1a over UTF-16 units, as eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
