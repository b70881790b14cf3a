/** Formats of messages between processes. */
import type { GroupSeen } from '../../../model/documents/recorded/thread-file.ts';
import type { Serialization } from '../../../model/names.ts';
import { isToProcess } from '../../../model/recording/recording.ts';
import type { RecordedThread } from './recorded-thread.ts';

/** Of the messages of a group; null if it is not known, nothing if they stay in their process. */
export type SerializationOf = (
  from: RecordedThread,
  group: GroupSeen,
) => { serialization?: Serialization | null };

/** As the posting end knows it, else as the process that started it does. */
export function serializations(threads: readonly RecordedThread[]): SerializationOf {
  const started = new Map<number, Serialization>();
  for (const { pid, serialization } of threads.flatMap(({ children }) => children))
    if (serialization !== undefined) started.set(pid, serialization);
  return (from, { site, serialization }) => {
    const { api } = from.sites.get(site)!;
    if (!isToProcess(api)) return {};
    const ofStart = api === 'process.send' ? started.get(from.pid) : undefined;
    return { serialization: serialization ?? ofStart ?? null };
  };
}
