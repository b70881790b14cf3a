import { fnv1aHex } from '../../model/fnv1a.ts';

/** A file system allows 255 bytes for a whole name. */
const MAX_LENGTH = 100;
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
    .slice(0, MAX_LENGTH);
  return safe === plain ? safe : [safe, fnv1aHex(text)].filter((part) => part !== '').join('-');
}
