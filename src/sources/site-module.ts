/** The module that makes a value like the messages of a recorded site. */
import { shapeBelow, valuePath } from '../core/recording/envelopes/envelopes.ts';
import { fixtureFromShape, fixtureFromTree } from '../core/recording/fixture/fixture-module.ts';
import type { RecordedMessages, RecordingHeader } from '../model/documents/recorded/recording.ts';
import type { TrafficValues } from '../model/documents/recorded/traffic.ts';
import type { Facts, Shape } from '../model/documents/shape.ts';
import type { LibraryName } from '../model/names.ts';
import type { Flag } from '../model/vocabulary/shape.ts';

export interface SiteModule {
  text: string;
  /** Puts its envelope around the value. */
  via: LibraryName | null;
  values: TrafficValues;
}

/** How engines store what a program did to a value: a value that is read from a file is stored anew. */
const HISTORY: ReadonlySet<Flag> = new Set<Flag>([
  ...(['rope', 'substring', 'ascii-in-two-byte'] as const),
  ...(['dictionary', 'uncacheable-dictionary', 'hidden-state', 'named-props-history'] as const),
  ...(['holey-kind', 'dictionary-elements', 'not-fast-elements', 'array-storage', 'slow-put'] as const),
]);

const historyIn = (shape: Shape | null): Facts | undefined =>
  shape?.patterns.find(({ flags }) => flags.some((flag) => HISTORY.has(flag)));

/**
 * A kept message as it is, unless it would lose how it was stored; else values synthesised from the shape. Null where nothing of the messages is known.
 *
 * @throws ToolError for a shape or a message that cannot be made again
 */
export function siteModule(
  one: RecordedMessages,
  { values: kept }: Pick<RecordingHeader, 'values'>,
  seed: number,
): SiteModule | null {
  const stored = historyIn(one.shape);
  if (one.sample !== null && stored === undefined) {
    const { text, differences } = fixtureFromTree(one.sample);
    const from = kept === 'masked' ? 'masked-sample' : 'sample';
    return { text, via: null, values: { from, seed, differences } };
  }
  if (one.shape === null) return null;
  const made = fromShape(one, one.shape, seed);
  if (one.sample === null || stored === undefined) return made;
  const { values } = made;
  const why = `Not the kept message, which would lose how it was stored at ${stored.pattern}.`;
  return { ...made, values: { ...values, differences: [why, ...values.differences] } };
}

/**
 * Requests of a library are its value, in the envelope that `--via` puts around it: then rewrites are of the value, and their
 * code is a call of the library. Replies are posted as they were.
 */
function fromShape(
  { envelope, bytes, count, typicalBytes, serialization }: RecordedMessages,
  shape: Shape,
  seed: number,
): SiteModule {
  const library = envelope?.direction === 'request' ? envelope.library : null;
  const value = library === null ? null : shapeBelow(shape, valuePath(library, 'request'));
  const mean = bytes === null || count === 0 ? null : bytes.total / count;
  const typical = value === null ? (typicalBytes ?? mean) : null;
  // As JSON text also where it is not known: see `channelOf`.
  const isText = serialization !== undefined && serialization !== 'advanced';
  const { text, differences } = fixtureFromShape(value ?? shape, seed, typical, isText);
  const via = value === null ? null : library;
  return { text, via, values: { from: 'shape', seed, differences } };
}
