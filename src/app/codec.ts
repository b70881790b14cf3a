import type { PayloadReport, Report, Run } from '../model/documents/report.ts';
import type { Advice, Plan, Trial } from '../model/documents/trial.ts';
import { fileNameOf } from '../model/report/file-name.ts';
import { payloadShape } from '../model/report/runs.ts';
import { type Codec, type Remedy, withoutSchema } from '../model/rules/remedy.ts';
import type { ModuleLanguage } from '../remedies/code/dialect.ts';
import { remedyNamed } from '../remedies/index.ts';
import { codecModule, exportNames, type ModuleFacts } from '../remedies/module/module.ts';

/** Longer codecs are not shown whole, only their calls. */
const MAX_SHOWN_LINES = 20;

/** The codec that the advice of a run recommends. */
export interface AdvisedCodec {
  codec: Codec;
  run: Run;
  facts: Omit<ModuleFacts, 'again'>;
}

/** Trial that the advice is about. Two plans of one remedy may share a path: the gain distinguishes them. */
function advisedTrial({ remedy, path, gain }: Advice, trials: readonly Trial[]): Trial | undefined {
  const candidates = trials.filter((trial) => trial.remedy === remedy && trial.path === path);
  return candidates.find((trial) => trial.withConversion?.ratio === gain?.ratio) ?? candidates[0];
}

/**
 * Makes the plan again from the shape, because code is generated from it and a stored report may come from anywhere.
 * Null if the remedy does not propose this plan.
 */
function plannedAgain(remedy: Remedy, run: Run, id: string, plan: Plan): Plan | null {
  const { verdict, findings } = run;
  const shape = payloadShape(run);
  if (shape === null || verdict === null) return null;
  const text = canonical(withoutSchema(plan));
  const plans = [false, true].flatMap((assumeIntegers) =>
    remedy.plans(shape, {
      verdict,
      findings,
      assumeIntegers,
      schema: run.schema ?? null,
      channel: run.channel,
      id,
      isSequence: true,
    }),
  );
  return plans.find((one) => canonical(withoutSchema(one)) === text) ?? null;
}

/** Text that is equal for plans that differ only in the order of their keys. */
const canonical = (plan: unknown): string =>
  JSON.stringify(plan, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** True if reading a message in place takes less than half the time, or if the user requested a view. */
const isReadInPlace = ({ inPlace, withConversion }: Trial, { trials }: Run): boolean =>
  trials.some(({ plan }) => plan.isView) ||
  (inPlace !== null && withConversion !== null && 2 * inPlace.ratio <= withConversion.ratio);

/** Null if nothing is advised, or if the advice does not consist of code. */
export function advisedCodec(
  { tool, date }: Pick<Report, 'tool' | 'date'>,
  { id, source }: Pick<PayloadReport, 'id' | 'source'>,
  run: Run,
): AdvisedCodec | null {
  const { advice } = run;
  const remedy = advice?.action === 'apply' ? remedyNamed(advice.remedy ?? '') : undefined;
  const trial = advice && advisedTrial(advice, run.trials);
  const planned = remedy && trial ? plannedAgain(remedy, run, id, trial.plan) : null;
  const plan = planned && { ...planned, view: isReadInPlace(trial!, run) };
  const target = { channel: run.channel, via: run.via?.library ?? null };
  const codec = plan && remedy?.codec?.(plan, target);
  if (!advice || !remedy || !codec) return null;
  const { name, version } = run.runtime;
  const through = run.via ? `${run.channel} via ${run.via.library}` : run.channel;
  const where = [`${name} ${version}`, through, ...(date === undefined ? [] : [date])].join(', ');
  const named = source.export === null ? source.file : `${source.file}#${source.export}`;
  const { gain, costs = [] } = advice;
  return { codec, run, facts: { version: tool.version, source: named, id, gain, where, costs } };
}

export const codecSource = (
  { codec, run, facts }: AdvisedCodec,
  language: ModuleLanguage,
  place: Partial<Pick<ModuleFacts, 'exported' | 'again' | 'helpers'>> = {},
): string => codecModule(codec, payloadShape(run)!, { ...facts, again: null, ...place }, language);

/** Completes the advice with its module, its assumptions and its calls. A short codec is shown whole. */
export function withCodec(
  report: Pick<Report, 'tool' | 'date'>,
  payload: Pick<PayloadReport, 'id' | 'source'>,
  run: Run,
): Run {
  const advised = advisedCodec(report, payload, run);
  if (advised === null || run.advice === null) return run;
  const { calls, assumes, source } = advised.codec;
  // Expressions in place of functions count as short too, even if the functions are long.
  const isShort = [source, run.advice.code ?? ''].some((text) => text.split('\n').length <= MAX_SHOWN_LINES);
  const [sender, receiver] = [calls.sender, calls.receiver].map((call) => {
    const names = exportNames(advised.codec).filter((name) => call.includes(`${name}(`));
    return `import { ${names.join(', ')} } from './${fileNameOf(payload.id)}.codec.ts';\n${call}`;
  });
  const code = isShort ? run.advice.code : `// sender\n${sender}\n\n// receiver\n${receiver}\n`;
  const module = codecSource(advised, 'typescript');
  return { ...run, advice: { ...run.advice, code, module, ...(assumes.length === 0 ? {} : { assumes }) } };
}
