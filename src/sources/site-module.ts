/** The module that makes a message of a recorded site again. */
import { inside } from '../core/recording/envelopes/envelopes.ts';
import { moduleOf } from '../core/recording/module/module-of.ts';
import type { RecordedMessages, RecordingHeader } from '../model/documents/recorded/recording.ts';
import type { TrafficValues } from '../model/documents/recorded/traffic.ts';
import type { LibraryName } from '../model/names.ts';

export interface SiteModule {
  text: string;
  /** Puts its envelope around the value. */
  via: LibraryName | null;
  values: TrafficValues;
}

const FROM = { none: 'made-up', masked: 'masked-sample', kept: 'sample' } as const;

/**
 * Requests of a library are its value, in the envelope that `--via` puts around it, unless values were kept: then rewrites are of the
 * value, and their code is a call of the library. Replies are posted as they were. Null where nothing of the messages is known.
 *
 * @throws ToolError for a message that cannot be made again
 */
export function siteModule(
  { envelope, sample }: Pick<RecordedMessages, 'envelope' | 'sample'>,
  { values }: Pick<RecordingHeader, 'values'>,
  seed: number,
): SiteModule | null {
  if (sample === null) return null;
  const library = values === 'none' && envelope?.direction === 'request' ? envelope.library : null;
  const value = library === null ? undefined : inside(sample, library);
  const head = values === 'kept' ? 'kept' : 'masked';
  const { text, differences } = moduleOf(value === undefined ? sample : value, head, seed);
  const via = value === undefined ? null : library;
  return { text, via, values: { from: FROM[values], seed, differences } };
}
