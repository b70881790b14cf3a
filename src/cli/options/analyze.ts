import { ToolError } from '../../model/errors.ts';
import { SERIALIZER_NAMES } from '../../model/names.ts';
import { REPORT_FORMATS } from '../../model/report/render-options.ts';
import { asTyped, commandSpec, flag, type SettingsOf, several, single } from './option.ts';
import { formatsOption, measuredOutputs, OUTPUT } from './outputs.ts';
import * as shared from './shared.ts';

/** Terms of options that examine posted messages. */
const POSTS = { conflicts: { with: ['measure'], why: ', which posts nothing' } };

export const ANALYZE = commandSpec({
  name: 'analyze',
  help: 'classify, measure and recommend (the main job)',
  argument: {
    name: 'payloads',
    form: '<payload...>',
    help: 'files, recordings (.cprof), globs, or - for JSON on stdin',
    missing: new ToolError('no-input').message,
  },
  options: {
    runtimes: shared.RUNTIMES_OR_URL,
    channels: shared.channelsOption('worker'),
    sender: shared.SENDER,
    ...shared.sitesOptions('95 % of the cost, at most 10'),
    exports: shared.exportsOption(),
    transfer: shared.TRANSFER,
    via: shared.VIA,
    tries: several(
      '--try <file|package...>',
      `also prove and time this rewrite: a module with apply and restore, or ${SERIALIZER_NAMES.join(', ')}`,
      asTyped,
      { values: SERIALIZER_NAMES, takes: shared.takesRewrite, ...POSTS },
    ),
    formats: formatsOption(REPORT_FORMATS),
    output: OUTPUT,
    quiet: flag('-q, --quiet', 'terminal format: only the summary, a row for each payload and runtime'),
    details: { ...shared.DETAILS, conflicts: { with: ['quiet'] } },
    keys: shared.KEYS,
    budgetMs: shared.budgetOption(),
    totalMs: { ...shared.TOTAL_BUDGET, ...POSTS },
    measure: flag('--no-measure', 'classify only'),
    watch: flag(
      '--watch',
      'with --no-measure: classify again when a file that was read changes, until Ctrl-C',
      {
        needs: {
          oneOf: ['measure'],
          otherwise: '--watch is for --no-measure: while a payload is edited, no time counts',
        },
      },
    ),
    byPath: flag('--by-path', 'measure what each branch of the payload costs, by leaving it out', POSTS),
    /** Folder of the profiles, as the user typed it. */
    profile: {
      ...single(
        '--profile [dir]',
        'write CPU and heap profiles of both threads, for DevTools (default dir: profiles)',
        asTyped,
        POSTS,
      ),
      parse: (given) => (given === undefined ? null : given === true ? 'profiles' : String(given)),
    },
    emit: { ...shared.EMIT, ...POSTS },
    assumeIntegers: flag(
      '--assume-integers',
      'encode numbers that are 32-bit integers in the sample as integers; others are sent unchanged',
    ),
    withView: shared.VIEW,
    one: flag(
      '--one',
      'all inputs are samples of one payload: the first is measured, codecs are compiled from all',
    ),
    as: shared.asOption(),
    seed: shared.SEED,
    timeoutMs: shared.timeoutOption(' beyond its budget'),
    listen: shared.LISTEN,
    ...shared.FETCHING,
  },
  example: 'clone-prof analyze payload.json -r node bun@1.4 deno',
  refuses(settings) {
    if (settings.watch && settings.payloads.includes('-')) return '--watch: stdin is read once. Name a file';
    const isTerminal = measuredOutputs(REPORT_FORMATS, settings).some(({ format }) => format === 'terminal');
    if (settings.quiet && !isTerminal)
      return '--quiet applies to the format terminal, which was not requested';
    if (settings.details && !isTerminal)
      return '--details applies to the format terminal, which was not requested: others have all of them';
    return shared.listenRefusal(settings);
  },
});

export type AnalyzeSettings = SettingsOf<typeof ANALYZE>;
