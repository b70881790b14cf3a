import type { RequestedLoad } from '../../core/measure/load.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel, LibraryName } from '../../model/names.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../model/report/render-options.ts';
import { emitFileOf } from './emit.ts';
import { splitLoad } from './load.ts';
import { type Output, outputsOf } from './outputs.ts';
import { type Fetching, fetchingOf, listOf, type Typed } from './typed.ts';
import {
  channelsOf,
  inputKindOf,
  libraryOf,
  milliseconds,
  PAYLOAD_FILE,
  seedOf,
  splitRuntimes,
} from './values.ts';

/** `analyze` options as the user gave them, validated. Times in ms. */
export interface AnalyzeOptions extends Fetching {
  payloads: string[];
  runtimes: string[];
  channels: Channel[];
  exports: string[] | null;
  via: LibraryName[];
  outputs: Output<ReportFormat>[];
  budgetMs: number;
  measure: boolean;
  /** Folder for profiles, as the user wrote it. */
  profile: string | null;
  byPath: boolean;
  /** File of the codec, as the user wrote it. */
  emit: string | null;
  assumeIntegers: boolean;
  load: RequestedLoad | null;
  timeoutMs: number;
  seed: number;
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
  const options: AnalyzeOptions = {
    payloads: [...args, ...payloads, ...afterProfile, ...afterLoad, ...afterFormats],
    runtimes,
    channels: channelsOf(flags.channel) ?? ['worker'],
    exports: flags.export === undefined ? null : listOf(flags.export),
    via: listOf(flags.via).map(libraryOf),
    outputs,
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    measure: flags.measure !== false,
    profile,
    byPath: flags.byPath === true,
    emit: flags.emit === undefined ? null : emitFileOf(String(flags.emit)),
    assumeIntegers: flags.assumeIntegers === true,
    load,
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    seed: seedOf(String(flags.seed)),
    as: flags.as === undefined ? null : inputKindOf(String(flags.as)),
    ...fetchingOf(flags),
  };
  refuseWithoutMeasuring(options);
  return options;
}

/** These examine messages that are really posted. */
function refuseWithoutMeasuring({ measure, profile, byPath, load, emit }: AnalyzeOptions): void {
  const asked = [
    profile === null ? [] : '--profile',
    byPath ? '--by-path' : [],
    load === null ? [] : '--load',
    emit === null ? [] : '--emit',
  ].flat();
  if (measure || asked.length === 0) return;
  throw new ToolError('usage', {
    detail: `${asked.join(' and ')} cannot be combined with --no-measure, which posts nothing`,
  });
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
