/** Runs a program and records what it posts. */
import { isUnreachable, NEEDED_RIGHTS, optionsEnd } from '../../core/recording/command-options.ts';
import { recognise } from '../../core/recording/envelopes/recognise.ts';
import { type Merged, merge } from '../../core/recording/threads/merge.ts';
import type { RecordedThread } from '../../core/recording/threads/recorded-thread.ts';
import { type CountBytes, sampleBytes } from '../../core/recording/threads/sample-bytes.ts';
import { cutName, cutText } from '../../model/cut.ts';
import { RECORDING_SCHEMA } from '../../model/document-ids.ts';
import type { Frame, Site } from '../../model/documents/recorded/call-site.ts';
import type {
  Gap,
  RecordedMessages,
  Recording,
  RecordingHeader,
  ThrownPosts,
  UnreadMessages,
} from '../../model/documents/recorded/recording.ts';
import { type KeptValues, MAX_GROUPS } from '../../model/recording/recording.ts';

/** Exit of the program: its code, or the signal that ended it. */
type RecordedExit = { code: number | null; signal: string | null };

/** Dependencies of the use case. */
export interface RecordTools<Exit extends RecordedExit> {
  /**
   * Runs the command with the recorder in it. `hasLeft`: processes that the program started are still running.
   * `isFull`: the disk had no space left for the recording.
   */
  run(): Promise<{ exit: Exit; hasLeft: boolean; isFull?: boolean; gaps?: readonly Gap[] }>;
  /** Reads the files that recorded threads wrote. */
  readThreads(): { threads: RecordedThread[]; gaps: Gap[] };
  /** Counts the bytes of messages, with a process of their runtime. */
  countBytes: CountBytes;
  /** True if the record is complete and valid, so that a recording may hold it. */
  isWhole(messages: RecordedMessages): boolean;
  /** @param files files of all frames @returns maps a frame by its file's source map; unchanged if there is none */
  mapFrames(files: readonly string[]): Promise<MapFrame>;
  /** Milliseconds, monotonic. */
  now(): number;
  version: string;
}

type MapFrame = (frame: Frame) => Frame;

interface RecordRequest {
  command: readonly string[];
  /** Folder of the command, absolute. */
  root: string;
  values: KeptValues;
  /** True for a recorded page, which does not exit with a code. */
  isPage?: boolean;
  /** Reason why nothing of the program can be recorded, if that is known before the start; else null. */
  unreachable: string | null;
}

/** Maximum number of different gap messages in a recording. */
const MAX_GAPS = 100;

const NOTHING =
  'No process of the program loaded the recorder: it runs no JavaScript, or was started with another environment.';
const FULL = 'No space was left in the temp folder: messages or their descriptions are missing.';
const KILLED =
  'The program was killed: what it posted since its counts were last written is missing, a tenth of a second or one turn.';
const LEFT =
  'Processes that the program had started are still running: what they post from now on is not recorded.';

export async function record<Exit extends RecordedExit>(
  request: RecordRequest,
  tools: RecordTools<Exit>,
): Promise<{ exit: Exit; isFull: boolean; recording: Recording }> {
  const start = tools.now();
  const { exit, hasLeft, isFull = false, gaps: ranInto = [] } = await tools.run();
  const elapsedMs = tools.now() - start;
  const { threads, gaps } = tools.readThreads();
  const merged = merge(threads, request.root, await sampleBytes(threads, tools.countBytes));
  const { runtime } = merged.header;
  const mapFrame = await tools.mapFrames(filesOfFrames(merged));
  const { messages, left } = heldOf(merged, tools, mapFrame);
  const thrown = merged.thrown.map((one) => asHeld(one, mapFrame));
  const unread = merged.unread.map(unreadAsHeld);
  const missed = [
    ...gap(request.unreachable ?? NOTHING, threads.length > 0 ? 0 : 1),
    ...gap(FULL, isFull ? 1 : 0),
    ...gap(LEFT, hasLeft ? 1 : 0),
    ...gap(KILLED, exit.signal === 'SIGKILL' ? 1 : 0),
    ...[...gaps, ...ranInto, ...left, ...merged.header.gaps],
  ];
  const header: RecordingHeader = {
    schema: RECORDING_SCHEMA,
    tool: { version: tools.version },
    ...merged.header,
    // The text comes from threads of the program, which may have written anything.
    runtime: runtime && { ...runtime, version: cutName(runtime.version) },
    overheadMs: within(merged.header.overheadMs),
    command: [...request.command],
    elapsedMs,
    exit: request.isPage ? null : { code: exit.code, signal: exit.signal },
    values: request.values,
    ...(thrown.length > 0 && { thrown }),
    ...(unread.length > 0 && { unread }),
    gaps: missed.slice(0, MAX_GAPS).map(({ what, count }) => ({ what: cutText(what), count: within(count) })),
  };
  return { exit, isFull, recording: { header, messages } };
}

const within = (value: number) => Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER);

function filesOfFrames({ messages, thrown }: Merged): string[] {
  const sites = [...messages, ...thrown].map(({ site }) => site);
  const frames = sites.flatMap(({ user, library }) => [user, library?.frame ?? null]);
  return [...frames, ...thrown.flatMap(({ stack }) => stack)].flatMap((frame) => frame?.file ?? []);
}

/** Messages that the recording holds, and gaps for those it must leave out. */
function heldOf(
  { messages: all }: Merged,
  { isWhole }: RecordTools<RecordedExit>,
  mapFrame: MapFrame,
): { messages: RecordedMessages[]; left: Gap[] } {
  const whole = all.filter(isWhole);
  const messages = whole.slice(0, MAX_GROUPS).map((one) => {
    const site = mappedSite(one.site, mapFrame);
    return { ...one, site, envelope: recognise(one.sample, site.library, one.api) };
  });
  const left = [
    ...gap('Messages whose record could not be read.', all.length - whole.length),
    ...gap('A group of messages beyond the most that a recording holds.', whole.length - messages.length),
  ];
  return { messages, left };
}

/** Programs may name their errors freely: a name that is not an identifier could contain any text. */
const ERROR_NAME = /^[A-Za-z_$][\w$]*$/;

/** Cuts the texts, which threads of the program may have filled with anything. */
const asHeld = (one: ThrownPosts, mapFrame: MapFrame): ThrownPosts => ({
  ...one,
  site: mappedSite(one.site, mapFrame),
  error: ERROR_NAME.test(one.error) ? cutName(one.error) : 'Error',
  refused: one.refused && { path: cutText(one.refused.path), what: cutText(one.refused.what) },
  stack: one.stack.map(mapFrame),
});

const unreadAsHeld = ({ thread, count }: UnreadMessages): UnreadMessages => ({
  thread: cutName(thread),
  count: Math.floor(within(count)),
});

const gap = (what: string, count: number): Gap[] => (count > 0 ? [{ what, count }] : []);

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//s;

/** A bundle contains code of packages: after mapping by the source map, the user's frame may be a library's. */
export function mappedSite({ user, library }: Site, mapFrame: MapFrame): Site {
  const mapped = user && mapFrame(user);
  const [, name] = (library === null && mapped && PACKAGE.exec(mapped.file)) || [];
  if (mapped && name !== undefined) return { user: null, library: { name, version: null, frame: mapped } };
  return { user: mapped, library: library && { ...library, frame: mapFrame(library.frame) } };
}

/** Reason why the program cannot be recorded under --permission, or null. */
export function permissionGap(command: readonly string[], nodeOptions = ''): string | null {
  const matches = (pattern: RegExp, text: string) => pattern.test(text);
  const line = [...command.slice(0, optionsEnd(command, matches)), nodeOptions].join(' ');
  if (!isUnreachable(line, matches)) return null;
  return `The program runs with --permission: without ${NEEDED_RIGHTS.join(' and ')} nothing of it can be recorded.`;
}
