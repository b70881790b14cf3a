/** Payloads that are large or odd, and whether they arrive. */
import assert from 'node:assert/strict';
import { compiledCodec } from '../../../src/codec/compiled/compiled.ts';
import type { TextForm } from '../../../src/codec/compiled/ways/scalars.ts';
import type { PayloadSchema } from '../../../src/model/documents/payload-schema.ts';
import { differencesBetween } from './arrival.ts';
import { codecOfText, FORMS, schemaOf } from './codec.ts';

const MAX_TYPES = 600;
const MAX_CODE = 600_000;

export const list = <T>(length: number, make: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at));
/** Own properties, `__proto__` too. */
export const object = (
  keys: readonly string[],
  make: (key: string, at: number) => unknown,
): Record<string, unknown> => Object.fromEntries(keys.map((key, at) => [key, make(key, at)]));

/** The value arrives equal, and fits; one that is changed arrives equal too. */
export function arrives(
  sample: unknown,
  changed: unknown,
  { mayMiss = false, forms = FORMS }: { mayMiss?: boolean; forms?: readonly TextForm[] } = {},
): PayloadSchema {
  const schema = schemaOf(sample);
  assert.ok(schema !== null);
  assert.ok(schema.types.length <= MAX_TYPES, `${schema.types.length} types`);
  for (const form of forms) {
    const { source } = compiledCodec({ schema, name: 'payload', form });
    assert.ok(source.length < MAX_CODE, `${source.length} characters`);
    const codec = codecOfText(source);
    const missed: string[] = [];
    const message = structuredClone(codec.toMessage(sample, (path) => missed.push(path)));
    assert.ok(!('asIs' in message));
    assert.deepEqual(differencesBetween(sample, codec.fromMessage(message), false), []);
    if (!mayMiss) assert.deepEqual(missed.slice(0, 3), []);
    const received = codec.fromMessage(structuredClone(codec.toMessage(changed)));
    assert.deepEqual(differencesBetween(changed, received, true), []);
  }
  return schema;
}

/** Each makes values of a kind of its own. */
export const MIXED: readonly ((at: number) => unknown)[] = [
  (at) => at,
  (at) => at / 3,
  (at) => `t${at}`,
  () => null,
  (at) => at % 2 === 0,
  (at) => BigInt(at),
  (at) => new Date(at),
  (at) => [at, `${at}`],
  (at) => [at, at + 1],
  (at) => ({ id: at }),
  (at) => ({ id: `${at}`, [`key${at % 50}`]: at }),
  (at) => new Map([[at, { at }]]),
  (at) => new Set([`${at}`]),
];
