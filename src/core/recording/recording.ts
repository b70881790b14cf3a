/** A recording: what the threads of a program wrote, and what the host knows of its run. */
import { cutName, cutText } from '../../model/cut.ts';
import { RECORDING_SCHEMA } from '../../model/document-ids.ts';
import type { Frame, Site } from '../../model/documents/recorded/call-site.ts';
import type {
  Gap,
  RecordedMessages,
  Recording,
  RecordingHeader,
  ThrownPosts,
} from '../../model/documents/recorded/recording.ts';
import { MAX_GROUPS } from '../../model/recording/recording.ts';
import { recognise } from './envelopes/recognise.ts';
import { Gaps } from './threads/gaps.ts';
import type { Merged } from './threads/merge.ts';

type MapFrame = (frame: Frame) => Frame;

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

/** Maximum number of different gap messages in a recording. */
const MAX_GAPS = 100;

const NOTHING =
  'No process of the program loaded the recorder: it runs no JavaScript, or was started with another environment.';
const FULL = 'No space was left in the temp folder: messages or their descriptions are missing.';
const KILLED =
  'The program was killed: what it posted since its counts were last written is missing, a tenth of a second or one turn.';
const LEFT =
  'Processes that the program had started are still running: what they post from now on is not recorded.';

/**
 * @param isWhole true if a record is complete and valid, so that a recording may hold it
 * @param mapFrame maps a frame by its file's source map
 */
export function recordingOf(
  merged: Merged,
  run: RecordedRun,
  isWhole: (messages: RecordedMessages) => boolean,
  mapFrame: MapFrame,
): Recording {
  const { header } = merged;
  const whole = merged.messages.filter(isWhole);
  const messages = whole.slice(0, MAX_GROUPS).map((one) => {
    const site = mappedSite(one.site, mapFrame);
    return { ...one, site, envelope: recognise(one.sample, site.library, one.api) };
  });
  const thrown = merged.thrown.map((one) => asHeld(one, mapFrame));
  const unread = merged.unread.map(({ thread, count }) => ({
    thread: cutName(thread),
    count: Math.floor(within(count)),
  }));
  const gaps = new Gaps();
  gaps.miss(run.unreachable ?? NOTHING, header.threads > 0 ? 0 : 1);
  gaps.miss(FULL, run.isFull ? 1 : 0);
  gaps.miss(LEFT, run.hasLeft ? 1 : 0);
  gaps.miss(KILLED, run.exit?.signal === 'SIGKILL' ? 1 : 0);
  for (const { what, count } of run.gaps) gaps.miss(what, count);
  gaps.miss('Messages whose record could not be read.', merged.messages.length - whole.length);
  gaps.miss('A group of messages beyond the most that a recording holds.', whole.length - messages.length);
  for (const { what, count } of header.gaps) gaps.miss(what, count);
  const { command, elapsedMs, exit, values, version } = run;
  const ofProgram: RecordingHeader = {
    schema: RECORDING_SCHEMA,
    tool: { version },
    ...header,
    // The text comes from threads of the program, which may have written anything.
    runtime: header.runtime && { ...header.runtime, version: cutName(header.runtime.version) },
    overheadMs: within(header.overheadMs),
    gaps: gaps.list
      .slice(0, MAX_GAPS)
      .map(({ what, count }) => ({ what: cutText(what), count: within(count) })),
    ...{ command, elapsedMs, exit, values },
    ...(thrown.length > 0 && { thrown }),
    ...(unread.length > 0 && { unread }),
  };
  return { header: ofProgram, messages };
}

const within = (value: number) => Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER);

/** Files of all frames. */
export function filesOfFrames({ messages, thrown }: Merged): string[] {
  const sites = [...messages, ...thrown].map(({ site }) => site);
  const frames = sites.flatMap(({ user, library }) => [user, library?.frame ?? null]);
  return [...frames, ...thrown.flatMap(({ stack }) => stack)].flatMap((frame) => frame?.file ?? []);
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

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//s;

/** A bundle contains code of packages: after mapping by the source map, the user's frame may be a library's. */
export function mappedSite({ user, library }: Site, mapFrame: MapFrame): Site {
  const mapped = user && mapFrame(user);
  const [, name] = (library === null && mapped && PACKAGE.exec(mapped.file)) || [];
  if (mapped && name !== undefined) return { user: null, library: { name, version: null, frame: mapped } };
  return { user: mapped, library: library && { ...library, frame: mapFrame(library.frame) } };
}
