import type { PayloadReport, Report, Run } from '../model/documents/report.ts';
import type { Advice, Plan, Trial } from '../model/documents/trial.ts';
import { fileNameOf } from '../model/report/file-name.ts';
import { payloadShape } from '../model/report/runs.ts';
import { type Codec, type Remedy, withoutSchema } from '../model/rules/remedy.ts';
import type { ModuleLanguage } from '../remedies/code/dialect.ts';
import { remedyNamed } from '../remedies/index.ts';
import { codecModule, exportNames, type ModuleFacts } from '../remedies/module/module.ts';

/** Codecs with more lines are not shown whole: their calls are. */
const MAX_SHOWN_LINES = 20;

/** The codec that a run advises. */
export interface AdvisedCodec {
  codec: Codec;
  run: Run;
  facts: Omit<ModuleFacts, 'again'>;
}

/** Two plans of one remedy may share a path: the gain tells which one is advised. */
function advisedTrial({ remedy, path, gain }: Advice, trials: readonly Trial[]): Trial | undefined {
  const candidates = trials.filter((trial) => trial.remedy === remedy && trial.path === path);
  return candidates.find((trial) => trial.withConversion?.ratio === gain?.ratio) ?? candidates[0];
}

/**
 * The plan again, made from the shape: a stored report may come from anywhere, and code is made of its plan. Null if
 * the remedy has no such plan.
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

/** Equal for plans that differ in the order of their keys alone. */
const canonical = (plan: unknown): string =>
  JSON.stringify(plan, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** True if reading a message as it arrives takes less than half the time, or if a view was asked for. */
const isReadInPlace = ({ inPlace, withConversion }: Trial, { trials }: Run): boolean =>
  trials.some(({ plan }) => plan.isView) ||
  (inPlace !== null && withConversion !== null && 2 * inPlace.ratio <= withConversion.ratio);

/** Null if nothing is advised, or nothing that is code. */
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

/** Completes advice: the module, what it assumes, and the calls; a short codec is in the code whole. */
export function withCodec(
  report: Pick<Report, 'tool' | 'date'>,
  payload: Pick<PayloadReport, 'id' | 'source'>,
  run: Run,
): Run {
  const advised = advisedCodec(report, payload, run);
  if (advised === null || run.advice === null) return run;
  const { calls, assumes, source } = advised.codec;
  // Expressions instead of functions are short too, whatever the functions are.
  const isShort = [source, run.advice.code ?? ''].some((text) => text.split('\n').length <= MAX_SHOWN_LINES);
  const [sender, receiver] = [calls.sender, calls.receiver].map((call) => {
    const names = exportNames(advised.codec).filter((name) => call.includes(`${name}(`));
    return `import { ${names.join(', ')} } from './${fileNameOf(payload.id)}.codec.ts';\n${call}`;
  });
  const code = isShort ? run.advice.code : `// sender\n${sender}\n\n// receiver\n${receiver}\n`;
  const module = codecSource(advised, 'typescript');
  return { ...run, advice: { ...run.advice, code, module, ...(assumes.length === 0 ? {} : { assumes }) } };
}
