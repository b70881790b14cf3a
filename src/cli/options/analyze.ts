import { LIBRARIES, SERIALIZER_NAMES } from '../../model/names.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../model/report/render-options.ts';
import { emitFileOf } from '../../services/codec-names.ts';
import * as common from './flags.ts';
import { besideFiles, type Output, outputsOf } from './outputs.ts';
import * as values from './values.ts';

const DATA = /\.(json|ndjson|jsonl|txt|cprof|bin)$|^-$/i;

/** True if the word only names data, or stdin. */
const isDataWord = (word: string): boolean => DATA.test(word);

export const ANALYZE: common.CommandFlags = {
  name: 'analyze',
  help: 'classify, measure and recommend (the main job)',
  argument: {
    form: '<payload...>',
    help: 'files, recordings (.cprof), globs, or - for JSON on stdin',
    checkedByCommand: true,
  },
  options: [
    common.RUNTIMES_OR_URL,
    common.channelsOption('worker'),
    common.SENDER,
    ...common.sitesOptions('95 % of the cost, at most 10'),
    common.EXPORTS,
    [
      '-t, --transfer <path...>',
      'paths of the buffers in the transfer list (moved, not copied), such as $.pixels',
    ],
    ['--via <library...>', 'post as a worker library does, in its envelope', { choices: LIBRARIES }],
    [
      '--try <file|package...>',
      `also prove and time this rewrite: a module with apply and restore, or ${SERIALIZER_NAMES.join(', ')}`,
      { values: SERIALIZER_NAMES },
    ],
    common.formatsOption(REPORT_FORMATS),
    common.OUTPUT,
    ['-q, --quiet', 'terminal format: only the summary, a row for each payload and runtime'],
    common.RUN_BUDGET,
    common.TOTAL_BUDGET,
    ['--no-measure', 'classify only'],
    ['--watch', 'with --no-measure: classify again when a file that was read changes, until Ctrl-C'],
    ['--by-path', 'measure what each branch of the payload costs, by leaving it out'],
    ['--profile [dir]', 'write CPU and heap profiles of both threads, for DevTools (default dir: profiles)'],
    common.EMIT,
    [
      '--assume-integers',
      'encode numbers that are 32-bit integers in the sample as integers; others are sent unchanged',
    ],
    common.VIEW,
    ['--one', 'all inputs are samples of one payload: the first is measured, codecs are compiled from all'],
    common.AS,
    common.SEED,
    common.timeoutOption(' beyond its budget'),
    common.LISTEN,
    ...common.FETCHING,
  ],
  example: 'clone-prof analyze payload.json -r node bun@1.4 deno',
};

export type AnalyzeSettings = ReturnType<typeof analyzeOptions>;

/** What the user typed, validated. @throws ToolError 'usage' */
export function analyzeOptions({ args, flags }: values.Typed) {
  const { runtimes, payloads } = values.splitRuntimes(flags.runtime);
  const [profile, afterProfile] = splitFlag(flags.profile);
  const { outputs: named, payloads: afterFormats } = outputsOf(REPORT_FORMATS, flags);
  const outputs = besideFiles(named, flags);
  const words = values.listOf(flags.try);
  const tries = words.filter((word) => !isDataWord(word));
  refuseWithoutMeasuring(flags, tries);
  return {
    // An option with several words takes the payloads behind it too: what is data goes back to them.
    payloads: [...args, ...payloads, ...afterProfile, ...afterFormats, ...words.filter(isDataWord)],
    runtimes,
    ...values.postingOf(flags),
    ...values.readingOf(flags),
    via: values.listOf(flags.via).map(values.libraryOf),
    transfer: values.listOf(flags.transfer).map(values.pathOf),
    /** Files and names of serializers. */
    tries,
    outputs,
    quiet: quietOf(flags.quiet, outputs),
    ...values.budgetsOf(flags),
    measure: flags.measure !== false,
    watch: watchOf(flags, args),
    /** Folder for profiles, as the user wrote it. */
    profile: profile === true ? 'profiles' : profile,
    byPath: flags.byPath === true,
    emit: values.parseOptional(flags.emit, emitFileOf),
    assumeIntegers: flags.assumeIntegers === true,
    withView: flags.view === true,
    one: flags.one === true,
    ...values.waitingOf(flags, runtimes),
    ...values.sitesOf(flags),
    /** The user named both channels between processes by one name. */
    isEveryIpc: values.listOf(flags.channel).includes('ipc'),
    ...values.fetchingOf(flags),
  };
}

/** `--profile orders.json` names a payload, not a folder. @returns true for a bare option, null for none */
function splitFlag(flag: unknown): [value: string | true | null, payloads: string[]] {
  if (flag === undefined || flag === false) return [null, []];
  if (typeof flag !== 'string') return [true, []];
  return values.PAYLOAD_FILE.test(flag) ? [true, [flag]] : [flag, []];
}

/** Other formats are read by programs, or folded. */
function quietOf(flag: unknown, outputs: readonly Output<ReportFormat>[]): boolean {
  if (flag !== true || outputs.some(({ format }) => format === 'terminal')) return flag === true;
  throw values.usage('--quiet applies to the format terminal, which was not requested');
}

function watchOf({ watch, measure }: values.Typed['flags'], args: readonly string[]): boolean {
  if (watch !== true) return false;
  if (measure !== false)
    throw values.usage('--watch is for --no-measure: while a payload is edited, no time counts');
  if (args.includes('-')) throw values.usage('--watch: stdin is read once. Name a file');
  return true;
}

/** These examine messages that are really posted. */
function refuseWithoutMeasuring(flags: values.Typed['flags'], tries: readonly string[]): void {
  const given = (name: string) => flags[name] !== undefined && flags[name] !== false;
  const asked = [
    ...['profile', 'byPath'].filter(given),
    ...(tries.length === 0 ? [] : ['try']),
    ...['total', 'emit'].filter(given),
  ];
  if (flags.measure !== false || asked.length === 0) return;
  const names = asked.map((name) => (name === 'byPath' ? '--by-path' : `--${name}`));
  throw values.usage(`${names.join(' and ')} cannot be combined with --no-measure, which posts nothing`);
}
