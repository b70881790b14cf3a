/** The module that makes a value like the messages of a recorded site. */
import { valuePath } from '../core/recording/envelopes.ts';
import { fixtureFromShape } from '../core/recording/fixture-module.ts';
import { fixtureFromTree } from '../core/recording/fixture-tree.ts';
import { shapeBelow } from '../core/recording/value-shape.ts';
import type { LibraryName } from '../model/names.ts';
import type { RecordedMessages, RecordingHeader } from '../model/recording/recording.ts';
import type { TrafficValues } from '../model/report/traffic.ts';
import type { Shape } from '../model/rules/shape.ts';

export interface SiteModule {
  text: string;
  /** Puts its envelope around the value. */
  via: LibraryName | null;
  values: TrafficValues;
}

/**
 * A kept message as it is; else values synthesised from the shape. Null where nothing of the messages is known.
 *
 * @throws ToolError for a shape or a message that cannot be made again
 */
export function siteModule(
  one: RecordedMessages,
  { values: kept }: Pick<RecordingHeader, 'values'>,
  seed: number,
): SiteModule | null {
  if (one.sample !== null) {
    const { text, differences } = fixtureFromTree(one.sample);
    const from = kept === 'masked' ? 'masked-sample' : 'sample';
    return { text, via: null, values: { from, seed, differences } };
  }
  return one.shape === null ? null : fromShape(one, one.shape, seed);
}

/**
 * Requests of a library are its value, in the envelope that `--via` puts around it: then rewrites are of the value, and their
 * code is a call of the library. Replies are posted as they were.
 */
function fromShape({ envelope, bytes, count }: RecordedMessages, shape: Shape, seed: number): SiteModule {
  const library = envelope?.direction === 'request' ? envelope.library : null;
  const value = library === null ? null : shapeBelow(shape, valuePath(library, 'request'));
  const typical = value !== null || bytes === null || count === 0 ? null : bytes.total / count;
  const { text, differences } = fixtureFromShape(value ?? shape, seed, typical);
  const via = value === null ? null : library;
  return { text, via, values: { from: 'shape', seed, differences } };
}
