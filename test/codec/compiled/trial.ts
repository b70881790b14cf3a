/** One value of a sequence through its codec, and changed values through the codec of the unchanged one. */
import { createContext, runInContext } from 'node:vm';
import { isAllRest } from '../../../src/codec/compiled/ways/index.ts';
import { randomBelow, seeded, seedFor } from '../../../src/stats/intervals/random.ts';
import { builtFrom } from '../../differential/builder.ts';
import { EACH_ONCE, programAt } from '../../differential/generate.ts';
import { lossyProgramAt } from '../../differential/lossy-values.ts';
import { type Program, sourceOf } from '../../differential/program.ts';
import { plainCopy, type Sent, sent } from './arrival.ts';
import { type CompiledCodec, codecOf, FORMS, schemaOf } from './codec.ts';
import { mutated } from './mutated.ts';
import { typicalProgramAt } from './typical-values.ts';

const context = createContext({});
const otherRealm = (code: string): unknown => runInContext(code, context);
const own = (unit: string, count: number): string => unit.repeat(count);

/** Builds the value of a source of test/differential: two builds are equal, strings and symbols included. */
export const builder = (source: string) => {
  const registered = source.replaceAll('Symbol("s")', 'Symbol.for("s")');
  return () => builtFrom(registered, otherRealm, own);
};

/** Of five values three are payloads as codecs are made for. */
function codecProgramAt(seed: number, index: number): Program {
  if (index % 5 === 3) return programAt(seed, EACH_ONCE.length + index);
  return index % 5 === 4 ? lossyProgramAt(seed, index) : typicalProgramAt(seed, index);
}

export interface Trial {
  /** None where the engine refuses the value, or nothing of it would be in typed arrays. */
  hasCodec: boolean;
  mutations: number;
  /** Of the mutations: those that were sent whole. */
  whole: number;
  complaints: string[];
}

interface Sample {
  codec: CompiledCodec;
  build: () => unknown;
}

const NOTHING: Trial = { hasCodec: false, mutations: 0, whole: 0, complaints: [] };

/** Changed, these would change all values after them; the last knows when it was made. */
const NOT_TWICE = /keep\(((Object|Array)\.prototype|Math|JSON)\)|extends File/;

/** Builds value number `index` of the sequence of `seed`: two builds are equal. Null for what cannot be built twice. */
export function builderAt(seed: number, index: number): (() => unknown) | null {
  const source = sourceOf(codecProgramAt(seed, index));
  return NOT_TWICE.test(source) ? null : builder(source);
}

function sampleAt(seed: number, index: number): Sample | null {
  const build = builderAt(seed, index);
  if (build === null) return null;
  const plain = plainCopy(build());
  const schema = plain && schemaOf(plain.copy);
  const form = FORMS[index % FORMS.length]!;
  if (!schema || isAllRest(schema, form)) return null;
  return { codec: codecOf(schema, form), build };
}

/** A sample has to fit its own codec, and to keep which objects it has at two places. */
function complaintAboutSample({ codec, build }: Sample): string {
  const { complaint, missed, way } = sent(codec, build, false);
  if (complaint !== '') return complaint;
  // A clone of what the sample was made from may not have its getters and prototypes.
  const clone = sent(codec, () => structuredClone(build()), false);
  if (clone.complaint !== '' || way === 'refused') return clone.complaint;
  const isMissed = clone.missed > 0 && missed > 0;
  return isMissed ? `${clone.missed} places do not fit their own sample` : '';
}

function mutation({ codec, build }: Sample, seed: number): { what: string; result: Sent } {
  const make = () => mutated(build(), seeded(seed));
  return { what: make().what, result: sent(codec, () => make().value, true) };
}

/** @param mutations of the value with this number in the sequence of `seed` */
export function trial(seed: number, index: number, mutations: number): Trial {
  const sample = sampleAt(seed, index);
  if (sample === null) return NOTHING;
  const done: Trial = { hasCodec: true, mutations, whole: 0, complaints: [] };
  const failed = (what: string, complaint: string) => {
    if (complaint !== '') done.complaints.push(`seed ${seed}, value ${index}, ${what}: ${complaint}`);
  };
  failed('unchanged', complaintAboutSample(sample));
  const random = seeded(seedFor(seed, index));
  for (let left = mutations; left > 0; left--) {
    const { what, result } = mutation(sample, randomBelow(2 ** 31, random));
    if (result.way === 'as it is') done.whole++;
    failed(what, result.complaint);
  }
  // What did not fit leaves nothing behind.
  if (mutations > 0) failed('unchanged, afterwards', complaintAboutSample(sample));
  return done;
}
