/** Messages that never arrived, because the post threw or the receiver could not read them. They are printed first. */
import { placeOfSite, thrownText } from '../../core/recording/sites/site-names.ts';
import type { RecordedMessages, RecordingHeader } from '../../model/documents/recorded/recording.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import { counted } from '../text/numbers.ts';

const MAX_THROWN = 3;

export function thrownTexts({ thrown = [] }: Pick<RecordingHeader, 'thrown'>): string[] {
  const more = thrown.length - MAX_THROWN;
  return [
    ...thrown.slice(0, MAX_THROWN).map(thrownText),
    ...(more > 0 ? [`${counted(more, 'more kind')} of posts that threw`] : []),
  ];
}

export const unreadTexts = ({ unread = [] }: Pick<RecordingHeader, 'unread'>): string[] =>
  unread.map(
    ({ thread, count }) => `${thread} got ${counted(count, 'message')} that it could not read (messageerror)`,
  );

type Posted = Pick<RecordedMessages, 'site' | 'api' | 'count' | 'received' | 'estimated'>;

/** Lost messages between processes, which nothing else would report. */
export const undeliveredTexts = (messages: readonly Posted[]): string[] =>
  messages.flatMap((one) => {
    const lost =
      one.received === null || one.estimated || !isToProcess(one.api) ? 0 : one.count - one.received;
    return lost > 0 ? `${placeOfSite(one)}: ${lost} of ${counted(one.count, 'message')} never arrived` : [];
  });
