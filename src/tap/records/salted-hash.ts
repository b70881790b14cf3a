import { charCodeAt, imul, toText } from '../realm/intrinsics.ts';

/** 64 bits of a text: FNV-1a twice, with different seeds. */
export function saltedHash(salt: string, text: string): string {
  const all = salt + text;
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let i = 0; i < all.length; i++) {
    const unit = charCodeAt(all, i);
    low = imul(low ^ unit, 0x01000193);
    high = imul(high ^ (unit + low), 0x85ebca6b);
  }
  return toText(low >>> 0, 36) + toText(high >>> 0, 36);
}
