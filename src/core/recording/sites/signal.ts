/** Messages that only say that something happened: acknowledgements, ticks, requests for the next piece. */

import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import type { Facts, Shape } from '../../../model/documents/shape.ts';
import { PRIMITIVE_KINDS } from '../../../model/vocabulary/shape.ts';
import { shapeBelow, valuePath } from '../envelopes/envelopes.ts';

/** A longer text is content, such as a document or JSON. */
const MAX_TEXT = 64;

const PRIMITIVES: ReadonlySet<string> = new Set(PRIMITIVE_KINDS);
const CONTAINERS: ReadonlySet<string> = new Set(['object', 'array', 'map', 'set']);

type SiteEnvelope = RecordedMessages['envelope'];

/** @param shape of the whole message @param envelope of the library that posts it, around a value */
export function isSignal(shape: Shape, envelope: SiteEnvelope): boolean {
  const rows = valueRows(shape, envelope);
  return (
    rows.length > 0 &&
    rows.every(({ kind, size }) => {
      const longest = size?.max ?? 0;
      // What holds nothing has no rows below it.
      return CONTAINERS.has(kind) ? longest === 0 : PRIMITIVES.has(kind) && longest <= MAX_TEXT;
    })
  );
}

/** Of the value in the envelope; in an envelope that is a list its own numbers stand in the same row. */
function valueRows(shape: Shape, envelope: SiteEnvelope): readonly Facts[] {
  if (envelope === null) return shape.patterns;
  const path = valuePath(envelope.library, envelope.direction);
  const value = shapeBelow(shape, path);
  if (value !== null) return value.patterns;
  return path.startsWith('$[') ? shape.patterns.filter(({ pattern }) => pattern !== '$') : [];
}
