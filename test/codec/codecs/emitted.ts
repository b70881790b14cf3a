/** Codecs of real payloads, as they are emitted. */
import { readFileSync } from 'node:fs';
import type { ModuleLanguage } from '../../../src/codec/code/javascript.ts';
import { codecSource, type Exported } from '../../../src/codec/module/module.ts';
import { codecTest, type TestFacts } from '../../../src/codec/module/test-file.ts';
import { REMEDIES } from '../../../src/codec/remedies/index.ts';
import { inferSchema } from '../../../src/codec/schema/payload-schema.ts';
import type { RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { EngineName } from '../../../src/model/names.ts';
import type { ProposalFacts, Remedy } from '../../../src/model/rules/remedy.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { assumedStorage } from '../../../src/value/describe/inspect/storage.ts';
import { verdict } from '../../make.ts';
import { typeDetection } from '../../support/probe.ts';

export const FACTS: ProposalFacts = { verdict: verdict({ confirmed: null }), findings: [] };

/** With the schema of what arrives of the value. */
export const factsOf = (value: unknown, id = 'sample'): ProposalFacts => ({
  ...FACTS,
  schema: inferSchema([structuredClone(value)], typeDetection, false),
  id,
});

export const sampleText = (file: string) =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

/** @param strings flags with which texts are stored; default: by their content */
export function shapeOf(value: unknown, engine: EngineName = 'v8', strings?: number) {
  const storage = assumedStorage(engine);
  if (strings !== undefined) storage.string = () => strings;
  return describe(value, { types: typeDetection, storage, utf8Bytes: Buffer.byteLength });
}

interface EmitOptions {
  helpers?: string | null;
  source?: string;
  language?: ModuleLanguage;
  exported?: Exported;
  gain?: RatioEstimate;
}

const GAIN: RatioEstimate = { ratio: 0.25, ci: [0.24, 0.26] };

export function emitted(
  remedy: Remedy,
  plan: Plan,
  value: unknown,
  {
    source = 'sample.json',
    language = 'typescript',
    exported,
    gain = GAIN,
    helpers = null,
  }: EmitOptions = {},
): string {
  const codec = remedy.codec(plan);
  if (codec === undefined) throw new TypeError(`${remedy.name} has no codec`);
  const id = source.replace(/^.*\/|\..*$/g, '');
  const again = `clone-prof analyze ${source} --emit ${id}.codec.ts`;
  const where = 'node 24.0.0, worker, 2026-01-31';
  const facts = { version: '0.1.0', source, id, gain, where, costs: [], again, helpers };
  return codecSource({ codec, schema: factsOf(value).schema ?? null, facts }, language, {
    exported: exported ?? null,
  });
}

export function viewedText(table: unknown): string {
  const plan = REMEDIES.compiled.plans(shapeOf(table), { ...factsOf(table), withView: true }).at(-1);
  return emitted(REMEDIES.compiled, plan!, table);
}

/** One for each way to read a sample, and each runner. */
const SAMPLES: TestFacts['sample'][] = [
  { form: 'json', file: 'a.json' },
  { form: 'ndjson', file: 'a.ndjson', line: 7 },
  { form: 'module', file: 'plain.mjs', export: 'rows' },
  { form: 'module', file: 'plain.mjs', export: 'default' },
  { form: 'module', file: 'typed.ts', export: 'rows' },
  { form: 'module', file: 'typed.ts', export: 'default' },
];
const RUNNERS: TestFacts['runner'][] = ['node', 'vitest', 'jest', 'bun'];

export function emittedTests(codec: string, text: string): string[] {
  const exports = [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name!);
  const facts: Omit<TestFacts, 'sample' | 'runner'> = {
    version: '0.1.0',
    codec,
    exports,
    isAwaited: text.includes('export async function fromMessage('),
    language: 'typescript',
  };
  return RUNNERS.flatMap((runner) => SAMPLES.map((sample) => codecTest({ ...facts, sample, runner })));
}
