import type { Facts, Shape } from '../../../model/documents/shape.ts';
import { withoutDataKeys } from '../../key-names.ts';

/** A shape without keys that are data: those of map-like objects, and those that are no names. */
export function maskedShape(shape: Shape): Shape {
  const masked = withoutDataKeys(shape);
  const rows = new Map<string, Facts>();
  for (const one of shape.patterns) {
    const pattern = masked(one.pattern);
    const { parent, kind, flags, tag } = one;
    const key = JSON.stringify([pattern, parent, kind, flags, tag]);
    const known = rows.get(key);
    rows.set(key, known ? sum(known, one) : { ...one, pattern, example: masked(one.example) });
  }
  return { ...shape, patterns: [...rows.values()] };
}

/** Rows that differed in a key only. */
function sum(known: Facts, { count, size, bytes }: Facts): Facts {
  const facts: Facts = { ...known, count: known.count + count };
  if (known.size && size)
    facts.size = {
      min: Math.min(known.size.min, size.min),
      max: Math.max(known.size.max, size.max),
      total: known.size.total + size.total,
    };
  if (known.bytes && bytes) {
    const max = Math.max(known.bytes.max, bytes.max);
    facts.bytes = { ...known.bytes, total: known.bytes.total + bytes.total, max };
    if (known.bytes.backing !== undefined) facts.bytes.backing = known.bytes.backing + (bytes.backing ?? 0);
  }
  return facts;
}
