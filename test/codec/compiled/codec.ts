/** A compiled codec as its user gets it: made from samples, its text evaluated. */

import { functionsOf } from '../../../src/codec/code/javascript.ts';
import { compiledCodec } from '../../../src/codec/compiled/compiled.ts';
import type { TextForm } from '../../../src/codec/compiled/ways/scalars.ts';
import { inferSchema } from '../../../src/codec/schema/payload-schema.ts';
import type { PayloadSchema } from '../../../src/model/documents/payload-schema.ts';
import { typeDetection } from '../../support/probe.ts';

/** What is sent, unless `asIs` is there. */
export interface Streams {
  version: string;
  ints: Int32Array;
  doubles: Float64Array;
  text: string;
  words: string;
  rest: unknown[];
}

export interface CompiledCodec {
  toMessage(payload: unknown, onMiss?: (path: string) => void): Streams | { asIs: unknown };
  fromMessage(message: unknown): unknown;
  /** Only of the form 'viewed'. */
  viewMessage(message: unknown): unknown;
}

export const FORMS: readonly TextForm[] = ['joined', 'listed'];

export const codecOf = (schema: PayloadSchema, form: TextForm, name = 'payload'): CompiledCodec =>
  codecOfText(compiledCodec({ schema, name, form }).source);

export const codecOfText = (source: string): CompiledCodec => functionsOf<CompiledCodec>(source);

/** Of samples that are not JSON. */
export const schemaOf = (...samples: unknown[]): PayloadSchema | null =>
  inferSchema(
    samples.map((sample) => structuredClone(sample)),
    typeDetection,
    false,
  );

export function codecFrom(sample: unknown, form: TextForm = 'joined'): CompiledCodec {
  const schema = schemaOf(sample);
  if (schema === null) throw new Error('the sample has no schema');
  return codecOf(schema, form);
}
