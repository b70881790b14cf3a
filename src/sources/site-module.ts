/** Module that makes the messages of a recorded site again. */
import { inside } from '../core/recording/envelopes/envelopes.ts';
import { moduleOf } from '../core/recording/module/module-of.ts';
import type { RecordedMessages, RecordingHeader } from '../model/documents/recorded/recording.ts';
import type { TrafficValues } from '../model/documents/recorded/traffic.ts';
import type { LibraryName } from '../model/names.ts';

export interface SiteModule {
  text: string;
  /** Library whose envelope is put around the value; null: none. */
  via: LibraryName | null;
  values: TrafficValues;
}

const FROM = { none: 'made-up', masked: 'masked-sample', kept: 'sample' } as const;

/**
 * Module of a site. It makes the value of a library's request, since `--via` puts the envelope around it, so that
 * rewrites are of the value and their code calls the library. It makes the whole message for replies, and if values
 * were kept. Null if nothing is known of the messages.
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
