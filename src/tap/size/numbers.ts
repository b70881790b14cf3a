import { dataOf } from '../realm/intrinsics.ts';
import { isSmall } from './wire-format.ts';

/** All are numbers, as far as they are read, and one of them is no small integer: the array keeps doubles. */
export function hasDoubles(value: unknown[], most: number, bits: 31 | 32): boolean {
  const stride = Math.ceil(value.length / most) || 1;
  let found = false;
  for (let i = 0; i < value.length; i += stride) {
    const item = dataOf(value, i);
    if (typeof item !== 'number') return false;
    found ||= !isSmall(item, bits);
  }
  return found;
}
