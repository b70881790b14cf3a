/** Codecs as modules with tests: advised by a run, or made of samples. */
import type { CodecSchema, PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import type { Plan, Trial } from '../../model/documents/trial.ts';
import { fileNameOf, type Recipe } from '../../model/report/recipe.ts';
import { advisedTrial, payloadShape } from '../../model/report/runs.ts';
import { type Remedy, withoutSchema } from '../../model/rules/remedy.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import type { SchemaMade } from '../../model/wire/wire.ts';
import { compare } from '../../value/compare/compare.ts';
import { namesFor } from '../code/call.ts';
import { exportNames } from '../code/javascript.ts';
import { compiled } from '../compiled/compiled.ts';
import { type CodecModule, codecSource, listed } from '../module/module.ts';
import { codecTest, type SampleSource, type TestFacts } from '../module/test-file.ts';
import { patch } from '../patch/patch.ts';
import { remedyNamed } from '../remedies/index.ts';
import { MAX_TYPES } from '../schema/payload-schema.ts';
import { kindWords } from '../schema/places.ts';

const MAX_SHOWN_LINES = 20;

export interface CodecFile extends CodecModule {
  sample: SampleSource | null;
}

/**
 * Makes the plan again from the shape, because code is generated from it and a stored report may come from anywhere.
 * Null if the remedy does not propose this plan.
 */
function plannedAgain(remedy: Remedy, run: Run, id: string, plan: Plan): Plan | null {
  const { verdict, findings } = run;
  const shape = payloadShape(run);
  if (shape === null || verdict === null) return null;
  const facts = { verdict, findings, schema: run.schema ?? null, channel: run.channel, id, isSequence: true };
  const plans = [false, true].flatMap((assumeIntegers) => remedy.plans(shape, { ...facts, assumeIntegers }));
  return plans.find((one) => compare(withoutSchema(one), withoutSchema(plan)).length === 0) ?? null;
}

/** True if reading a message in place takes less than half the time, or if the user requested a view. */
const isReadInPlace = ({ inPlace, withConversion }: Trial, { trials }: Run): boolean =>
  trials.some(({ plan }) => plan.isView) ||
  (inPlace !== null && withConversion !== null && 2 * inPlace.ratio <= withConversion.ratio);

export function advisedCodec(
  { tool, date }: Pick<Report, 'tool' | 'date'>,
  { id, source, traffic }: Pick<PayloadReport, 'id' | 'source' | 'traffic'>,
  run: Run,
): (CodecFile & { run: Run }) | null {
  const { advice } = run;
  const shape = payloadShape(run);
  const remedy = advice?.action === 'apply' ? remedyNamed(advice.remedy ?? '') : undefined;
  const trial = advice && advisedTrial(advice, run);
  const planned = remedy && trial ? plannedAgain(remedy, run, id, trial.plan) : null;
  const plan = planned && { ...planned, view: isReadInPlace(trial!, run) };
  const target = { channel: run.channel, via: run.via?.library ?? null };
  const codec = plan && remedy?.codec(plan, target);
  if (!advice || !remedy || !codec) return null;
  const { name, version } = run.runtime;
  const through = run.via ? `${run.channel} via ${run.via.library}` : run.channel;
  const where = [`${name} ${version}`, through, ...(date === undefined ? [] : [date])].join(', ');
  const named = source.export === null ? source.file : `${source.file}#${source.export}`;
  const { gain, costs = [] } = advice;
  const facts = { version: tool.version, source: named, id, gain, where, costs };
  // A recording does not contain a payload that a test could read.
  const sample = traffic ? null : sampleOf(source, shape?.patterns[0]?.kind);
  return { codec, run, schema: run.schema ?? null, facts, sample };
}

interface SchemaTerms extends Pick<CodecSchema, 'name'>, Partial<Pick<CodecSchema, 'form' | 'view'>> {
  version: string;
  files: Iterable<string>;
  /** A codec of the changes since the previous message: its types depend on the payload, its code does not. */
  isPatch?: boolean;
}

export function schemaCodec(
  schema: PayloadSchema,
  { version, files, name, form = 'joined', view = false, isPatch = false }: SchemaTerms,
  sample: SampleSource | null = null,
): CodecFile {
  const codec = isPatch
    ? patch.codec({ path: '$' })
    : compiled.codec({ path: '$', form, view, name, schema });
  const facts = { version, source: listed([...new Set(files)]), id: name, gain: null, where: null };
  return { codec, schema, facts: { ...facts, costs: isPatch ? (patch.costs ?? []) : [] }, sample };
}

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
    return `import { ${namesFor(advised.codec, call).join(', ')} } from './${fileNameOf(payload.id)}.codec.ts';\n${call}`;
  });
  const code = isShort ? run.advice.code : `// sender\n${sender}\n\n// receiver\n${receiver}\n`;
  const module = codecSource(advised, 'typescript');
  return { ...run, advice: { ...run.advice, code, module, ...(assumes.length === 0 ? {} : { assumes }) } };
}

export const codecTestSource = (
  { codec, facts: { version } }: CodecFile,
  where: Pick<TestFacts, 'codec' | 'runner' | 'language' | 'sample'>,
): string =>
  codecTest({ ...where, exports: exportNames(codec.source), isAwaited: codec.isAwaited ?? false, version });

/** Sample of a test; null for a module that this tool generated, which a test could not read. */
export function sampleIn({ build, source: { file, export: name, line } }: Recipe): SampleSource | null {
  const { form } = build;
  if (form === 'module') return build.generated ? null : { form, file, export: name ?? 'default' };
  if (form === 'ndjson') return { form, file, line: line ?? 1 };
  return { form, file };
}

/** The root kind decides, not the file's extension: `--as` may override the extension. */
function sampleOf({ file, export: name, line }: PayloadReport['source'], root?: Kind): SampleSource {
  if (name !== null) return { form: 'module', file, export: name };
  if (line !== undefined) return { form: 'ndjson', file, line };
  if (root === 'typedarray') return { form: 'bytes', file };
  return { form: root === 'string' ? 'text' : 'json', file };
}

/** Schema of a codec, and what a clone of the samples loses; or the reason why there is no codec, and an alternative. */
type CodecTerms =
  | { schema: PayloadSchema; lost: string | null; none: null }
  | { schema: null; none: { why: string; instead: string } };

export function codecTerms(made: SchemaMade, samples: readonly Recipe[]): CodecTerms {
  const { schema, uncloned, itself } = made;
  const none = (why: string, instead: string): CodecTerms => ({ schema: null, none: { why, instead } });
  if (uncloned !== undefined) {
    const { id } = samples[uncloned.recipe] ?? { id: 'a sample' };
    const instead = 'Leave out what cannot be cloned, or post it as JSON text (json-text)';
    return none(`${id} cannot be cloned: ${uncloned.reason.replace(/\.$/, '')}`, instead);
  }
  if (schema === null) {
    const why = `it has too many kinds of records: more than ${MAX_TYPES} types`;
    return none(why, 'Post it as one JSON text (json-text), or as it is');
  }
  const root = schema.types[0]!;
  if (isEncodable(root)) return { schema, lost: lostText(made, samples), none: null };
  return itself === undefined
    ? none(`the payload is ${kindWords(root)}`, 'Post it as it is')
    : none(
        `the payload contains itself, at ${itself}: only a clone keeps that`,
        'Post it as it is, or without the reference',
      );
}

function lostText({ lost }: SchemaMade, samples: readonly Recipe[]): string | null {
  const [first] = lost?.losses ?? [];
  if (lost === undefined || first === undefined) return null;
  const more = lost.losses.length > 1 ? ', and more' : '';
  const { id } = samples[lost.recipe] ?? { id: 'a sample' };
  return `${id} does not arrive as it is: ${first.what} at ${first.path}${more}. The codec and its test are of what arrives, whatever the type of an export says. An instance of a class is a miss, and cloned: make plain data of it before toMessage`;
}

/** True if the value has a part that a codec encodes. Cloned values and bytes are passed on unchanged. */
function isEncodable({ rest, bytes, list, numbers, record, dictionary, map, set }: ValueType): boolean {
  const isCloned = rest === true || bytes !== undefined;
  return !isCloned && [list, numbers, record, dictionary, map, set].some((one) => one !== undefined);
}
