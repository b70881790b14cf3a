/** A recording: what the threads of a program wrote, and what the host knows of its run. */
import { cutName, cutText } from '../../model/cut.ts';
import type {
  Gap,
  RecordedMessages,
  Recording,
  RecordingHeader,
  ThrownPosts,
} from '../../model/documents/recorded/recording.ts';
import { ENGINE_OF, RECORDING_SCHEMA } from '../../model/names.ts';
import { MAX_GROUPS } from '../../model/recording/recording.ts';
import { sumOf } from '../../model/sums.ts';
import { HEADER } from './counters.ts';
import { messagesIn, thrownPosts, unreadMessages } from './merge.ts';
import { Gaps, missedBy, type RecordedThread } from './recorded-thread.ts';
import type { BytesOf } from './sample-bytes.ts';
import { type MapFrame, ThreadNames } from './thread-names.ts';

/** Facts of a run that its threads do not know. */
export interface RecordedRun extends Pick<RecordingHeader, 'command' | 'elapsedMs' | 'exit' | 'values'> {
  version: string;
  /** Reason why nothing of the program can be recorded, if that is known before the start; else null. */
  unreachable: string | null;
  /** Processes that the program started are still running. */
  hasLeft: boolean;
  /** The disk had no space left for the recording. */
  isFull: boolean;
  gaps: readonly Gap[];
}

const MAX_GAPS = 100;

const NOTHING =
  'No process of the program loaded the recorder: it runs no JavaScript, or was started with another environment.';
const FULL = 'No space was left in the temp folder: messages or their descriptions are missing.';
const KILLED =
  'The program was killed: what it posted since its counts were last written is missing, a tenth of a second or one turn.';
const LEFT =
  'Processes that the program had started are still running: what they post from now on is not recorded.';

/** What is known of the files, the bytes and the form of what was recorded. */
export interface Reading {
  /** Folder of the command, or address of the page: files are given relative to it. */
  root: string;
  bytesOf: BytesOf;
  /** Maps a frame by its file's source map. */
  mapFrame: MapFrame;
  /** True if a record is complete and valid, so that a recording may hold it. */
  isWhole(messages: RecordedMessages): boolean;
}

export function recordingOf(
  threads: readonly RecordedThread[],
  run: RecordedRun,
  { root, bytesOf, mapFrame, isWhole }: Reading,
): Recording {
  const names = new ThreadNames(threads, root, mapFrame);
  const all = messagesIn(threads, names, bytesOf);
  const { thrown, untold } = thrownPosts(threads, all, names);
  const unread = unreadMessages(threads, names);
  const whole = all.filter(isWhole);
  const messages = whole.slice(0, MAX_GROUPS);
  const gaps = new Gaps();
  gaps.miss(run.unreachable ?? NOTHING, threads.length > 0 ? 0 : 1);
  gaps.miss(FULL, run.isFull ? 1 : 0);
  gaps.miss(LEFT, run.hasLeft ? 1 : 0);
  gaps.miss(KILLED, run.exit?.signal === 'SIGKILL' ? 1 : 0);
  for (const { what, count } of run.gaps) gaps.miss(what, count);
  gaps.miss('Messages whose record could not be read.', all.length - whole.length);
  gaps.miss('A group of messages beyond the most that a recording holds.', whole.length - messages.length);
  missedBy(threads, gaps);
  gaps.miss('a post that threw, beyond the kinds that are kept', untold);
  const [first] = threads.flatMap(({ started }) => started ?? []).sort((a, b) => a.at - b.at);
  const { name = null, version = '' } = first?.runtime ?? {};
  const { command, elapsedMs, exit, values } = run;
  const header: RecordingHeader = {
    schema: RECORDING_SCHEMA,
    tool: { version: run.version },
    // The text comes from threads of the program, which may have written anything.
    runtime: name && { name, version: cutName(version), engine: ENGINE_OF[name] },
    processes: new Set(threads.map(({ pid }) => pid)).size,
    threads: threads.length,
    overheadMs: within(sumOf(threads, ({ counters }) => counters?.[HEADER.overheadMs] ?? 0)),
    gaps: gaps.list
      .slice(0, MAX_GAPS)
      .map(({ what, count }) => ({ what: cutText(what), count: within(count) })),
    ...{ command, elapsedMs, exit, values },
    ...(thrown.length > 0 && { thrown: thrown.map(asHeld) }),
    ...(unread.length > 0 && { unread }),
  };
  return { header, messages };
}

const within = (value: number) => Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER);

export function filesOfFrames(threads: readonly RecordedThread[]): string[] {
  const thrown = threads.flatMap((thread) => [...thread.thrown.values()]);
  const sites = [...threads.flatMap(({ groups }) => [...groups.values()]), ...thrown].map(({ site }) => site);
  const frames = sites.flatMap(({ user, library }) => [user, library?.frame ?? null]);
  return [...frames, ...thrown.flatMap(({ stack }) => stack)].flatMap((frame) => frame?.file ?? []);
}

/** Programs may name their errors freely: a name that is not an identifier could contain any text. */
const ERROR_NAME = /^[A-Za-z_$][\w$]*$/;

/** Cuts the texts, which threads of the program may have filled with anything. */
const asHeld = (one: ThrownPosts): ThrownPosts => ({
  ...one,
  error: ERROR_NAME.test(one.error) ? cutName(one.error) : 'Error',
  refused: one.refused && { path: cutText(one.refused.path), what: cutText(one.refused.what) },
});
