import type { RequestedLoad } from '../../core/measure/load.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel, LibraryName, Sender } from '../../model/names.ts';
import type { SiteChoice } from '../../model/recording/recording.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../model/report/render-options.ts';
import { emitFileOf } from './emit.ts';
import { splitLoad } from './load.ts';
import { type Output, outputsOf } from './outputs.ts';
import { sitesOf } from './sites.ts';
import { type Fetching, fetchingOf, listOf, type Typed, type Waiting } from './typed.ts';
import {
  channelsOf,
  inputKindOf,
  libraryOf,
  listenOf,
  milliseconds,
  PAYLOAD_FILE,
  pathOf,
  seedOf,
  senderOf,
  splitRuntimes,
  totalOf,
} from './values.ts';

/** `analyze` options as the user gave them, validated. Times in ms. */
export interface AnalyzeOptions extends Fetching, Waiting, SiteChoice {
  payloads: string[];
  runtimes: string[];
  channels: Channel[];
  sender: Sender | undefined;
  exports: string[] | null;
  via: LibraryName[];
  transfer: string[];
  /** Files and names of serializers. */
  tries: string[];
  outputs: Output<ReportFormat>[];
  /** The answers only, in the format terminal. */
  quiet: boolean;
  budgetMs: number;
  /** For the whole run; null: each payload and runtime has its budget. */
  totalMs: number | null;
  measure: boolean;
  /** Folder for profiles, as the user wrote it. */
  profile: string | null;
  byPath: boolean;
  /** File of the codec, as the user wrote it. */
  emit: string | null;
  assumeIntegers: boolean;
  withView: boolean;
  load: RequestedLoad | null;
  /** All inputs are samples of one payload. */
  one: boolean;
  seed: number;
  /** The user named channels. */
  overNamedChannels: boolean;
  /** They are both of those between processes, by one name. */
  isEveryIpc: boolean;
  as: 'text' | 'bytes' | 'json' | null;
}

/** @throws ToolError 'usage' */
export function analyzeOptions({ args, flags }: Typed): AnalyzeOptions {
  const { runtimes, payloads } = splitRuntimes(listOf(flags.runtime));
  const { profile, payloads: afterProfile } = splitProfile(flags.profile);
  const { load, payloads: afterLoad } = splitLoad(flags.load);
  const { outputs, payloads: afterFormats } = outputsOf(
    REPORT_FORMATS,
    listOf(flags.format),
    listOf(flags.output),
  );
  const { tries, payloads: afterTries } = splitTries(listOf(flags.try));
  const options: AnalyzeOptions = {
    payloads: [...args, ...payloads, ...afterProfile, ...afterLoad, ...afterFormats, ...afterTries],
    runtimes,
    channels: channelsOf(flags.channel) ?? ['worker'],
    sender: senderOf(flags.sender),
    exports: flags.export === undefined ? null : listOf(flags.export),
    via: listOf(flags.via).map(libraryOf),
    transfer: listOf(flags.transfer).map(pathOf),
    tries,
    outputs,
    quiet: quietOf(flags.quiet, outputs),
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    totalMs: totalOf(flags.total),
    measure: flags.measure !== false,
    profile,
    byPath: flags.byPath === true,
    emit: flags.emit === undefined ? null : emitFileOf(String(flags.emit)),
    assumeIntegers: flags.assumeIntegers === true,
    withView: flags.view === true,
    load,
    one: flags.one === true,
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    listen: listenOf(flags.listen, runtimes),
    seed: seedOf(String(flags.seed)),
    ...sitesOf(flags),
    overNamedChannels: flags.channel !== undefined,
    isEveryIpc: listOf(flags.channel).includes('ipc'),
    as: flags.as === undefined ? null : inputKindOf(String(flags.as)),
    ...fetchingOf(flags),
  };
  refuseWithoutMeasuring(options);
  return options;
}

/** Other formats are read by programs, or folded. */
function quietOf(flag: unknown, outputs: readonly Output<ReportFormat>[]): boolean {
  if (flag !== true || outputs.some(({ format }) => format === 'terminal')) return flag === true;
  throw new ToolError('usage', { detail: '--quiet shortens the format terminal, which is not asked for' });
}

/** These examine messages that are really posted. */
function refuseWithoutMeasuring(options: AnalyzeOptions): void {
  const { measure, profile, byPath, load, tries, totalMs, emit } = options;
  const asked = [
    profile === null ? [] : '--profile',
    byPath ? '--by-path' : [],
    load === null ? [] : '--load',
    tries.length === 0 ? [] : '--try',
    totalMs === null ? [] : '--total',
    emit === null ? [] : '--emit',
  ].flat();
  if (measure || asked.length === 0) return;
  throw new ToolError('usage', {
    detail: `${asked.join(' and ')} cannot be combined with --no-measure, which posts nothing`,
  });
}

/** A word that only names data, and stdin. */
const DATA = /\.(json|ndjson|jsonl|txt|cprof|bin)$|^-$/i;

/** `--try msgpackr ./mine.mjs orders.json` takes the payload too: what is data goes back to the payloads. */
export function splitTries(words: string[]): { tries: string[]; payloads: string[] } {
  const isData = (word: string) => DATA.test(word);
  return { tries: words.filter((word) => !isData(word)), payloads: words.filter(isData) };
}

const PROFILE_FOLDER = 'profiles';

/** `--profile orders.json` names a payload, not a folder: the word goes back to the payloads. */
export function splitProfile(flag: unknown): { profile: string | null; payloads: string[] } {
  if (flag === undefined || flag === false) return { profile: null, payloads: [] };
  if (typeof flag !== 'string') return { profile: PROFILE_FOLDER, payloads: [] };
  return PAYLOAD_FILE.test(flag)
    ? { profile: PROFILE_FOLDER, payloads: [flag] }
    : { profile: flag, payloads: [] };
}
