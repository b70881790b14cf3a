import { charCodeAt, imul, toText } from '../realm/intrinsics.ts';

/** A salted hash of 64 bits: equal for equal texts of one recording. FNV-1a twice, with different seeds. */
export function hashText(text: string, salt: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  const salted = salt + text;
  for (let i = 0; i < salted.length; i++) {
    const unit = charCodeAt(salted, i);
    low = imul(low ^ unit, 0x01000193);
    high = imul(high ^ (unit + i), 0x85ebca6b);
  }
  return toText(low >>> 0, 36) + toText(high >>> 0, 36);
}

export function hashBytes(bytes: Uint8Array, salt: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let i = 0; i < salt.length; i++) low = imul(low ^ charCodeAt(salt, i), 0x01000193);
  for (let i = 0; i < bytes.length; i++) {
    low = imul(low ^ bytes[i]!, 0x01000193);
    high = imul(high ^ (bytes[i]! + i + low), 0x85ebca6b);
  }
  return toText(low >>> 0, 36) + toText(high >>> 0, 36);
}
