/** Posts that threw: nobody got them, so they come first. */
import { thrownText } from '../../../core/recording/sites/site-names.ts';
import type { RecordingHeader } from '../../../model/documents/recorded/recording.ts';
import { counted } from '../../text/numbers.ts';

const MAX_THROWN = 3;

export function thrownTexts({ thrown = [] }: Pick<RecordingHeader, 'thrown'>): string[] {
  const more = thrown.length - MAX_THROWN;
  return [
    ...thrown.slice(0, MAX_THROWN).map(thrownText),
    ...(more > 0 ? [`${counted(more, 'more kind')} of posts that threw`] : []),
  ];
}
