import type {
  ChildStarted,
  GapSeen,
  GroupSeen,
  MessageSeen,
  SiteSeen,
  ThreadStarted,
} from '../../../model/documents/thread-file.ts';

/** What a thread has written, as far as it could be read. */
export interface RecordedThread {
  pid: number;
  thread: number;
  started: ThreadStarted | null;
  sites: Map<number, SiteSeen>;
  groups: Map<number, GroupSeen>;
  /** In the order in which they were posted. */
  messages: MessageSeen[];
  children: ChildStarted[];
  gaps: GapSeen[];
  /** It ended as it should. */
  ended: boolean;
  /** As `counters.ts` lays them out; null where they could not be read. */
  counters: Float64Array | null;
  /** Lines that could not be read. */
  unreadable: number;
}
