/**
 * What a compiled codec costs beside the limit: its guards, values that do not fit, making the schema and the code. All in
 * this process, interleaved, the fastest of many turns: no thread, no message.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asJavaScript } from '../../src/codec/code/javascript.ts';
import { compiledCodec } from '../../src/codec/compiled/compiled.ts';
import { inferSchema } from '../../src/codec/schema/payload-schema.ts';
import type { PayloadSchema } from '../../src/model/documents/payload-schema.ts';
import { describe } from '../../src/value/describe/describe.ts';
import { probeFor } from '../../test/support/probe.ts';
import { writeRealData } from '../advice/real-data.ts';
import { writeJson } from '../budgets.ts';
import { medianOf } from '../interleave.ts';
import { type Row, ratioRow } from '../table.ts';

const folder = join(fileURLToPath(new URL('../..', import.meta.url)), '.cache', 'bench', 'codecs');
const TURNS = 60;
const GUARDS = 1.3;
const FEW_ESCAPES = 1.05;
const SCHEMA = 1.5;

type Json = unknown;

interface Functions {
  toMessage(payload: Json): object;
  fromMessage(message: unknown): Json;
}

function compiled(source: string): Functions {
  const body = asJavaScript(source).replace(/^export /gm, '');
  return new Function(`"use strict";\n${body}\nreturn { toMessage, fromMessage };`)() as Functions;
}

/** The same without looking at keys, prototypes and types. */
const unguarded = (source: string): string =>
  source
    .replace(/^ {2}if \(!isPlain.*\) return writeOther\(value, path, known\);$/gm, '')
    .replace(/^ {2}if \(!startRecord.*\) return;$/gm, '  putInt(0);')
    .replace(/^ {2}if \(!startList.*\) return;$/gm, '  putInt(value.length);')
    .replace(/^ {4}if \(typeof one !== 'number' .*\) break;$/gm, '')
    .replace(/^const is(Int|Number) = [^;]*;/gm, 'const is$1 = () => true;')
    .replace(/^ {2}if \(.*\) (ints\[i\+\+\] = .*);\n {2}else writeOther\(.*$/gm, '  $1;')
    .replace(/^ {2}if \(.*\) (doubles\[d\+\+\] = value);\n {2}else \{\n.*\n.*\n {2}\}$/gm, '  $1;');

/** Fastest of many turns of each, in turns, ms. */
function fastest(all: readonly (() => unknown)[], turns = TURNS): number[] {
  const best = all.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn++)
    for (const [at, run] of all.entries()) {
      const began = performance.now();
      run();
      best[at] = Math.min(best[at]!, performance.now() - began);
    }
  return best;
}

const trip =
  ({ toMessage, fromMessage }: Functions, value: Json) =>
  () =>
    fromMessage(structuredClone(toMessage(value)));

/** Every nth scalar of an object becomes null, or a text where it was null. */
function escaped(value: Json, every: number): Json {
  let count = 0;
  return JSON.parse(JSON.stringify(value), (_, one: Json) => {
    if (typeof one === 'object' && one !== null) return one;
    return count++ % every === 0 ? { strange: true } : one;
  });
}

function escapeRows(name: string, value: Json, schema: PayloadSchema): Row[] {
  const codec = compiled(compiledCodec({ schema, name, form: 'joined' }).source);
  const [rare, frequent] = [escaped(value, 1000), escaped(value, 10)];
  const [clean, few, many, original] = fastest([
    trip(codec, value),
    trip(codec, rare),
    trip(codec, frequent),
    () => structuredClone(frequent),
  ]);
  return [
    ratioRow(`${name}: one value in a thousand does not fit, against none`, few! / clean!, FEW_ESCAPES),
    ratioRow(`${name}: one in ten does not fit, against the original`, many! / original!, 1),
  ];
}

/** Null where a value needs the guards: a text or null. */
function withoutGuards(source: string, value: Json): Functions | null {
  const free = compiled(unguarded(source));
  try {
    const message = free.toMessage(value);
    return JSON.stringify(free.fromMessage(message)) === JSON.stringify(value) && !('asIs' in message)
      ? free
      : null;
  } catch {
    return null;
  }
}

function guardRow(name: string, value: Json, schema: PayloadSchema): Row[] {
  const { source } = compiledCodec({ schema, name, form: 'joined' });
  const free = withoutGuards(source, value);
  if (free === null) return [];
  const [guarded, without] = fastest([trip(compiled(source), value), trip(free, value)]);
  return [ratioRow(`${name}: with guards against without`, guarded! / without!, GUARDS)];
}

async function schemaRow(): Promise<Row> {
  const file = join(folder, '2.json');
  writeJson(file, 2);
  const text = readFileSync(file, 'utf8');
  const probe = await probeFor({ fromJson: true });
  const making = () => {
    const schema = inferSchema([JSON.parse(text)], probe.types, true)!;
    compiledCodec({ schema, name: 'records', form: 'joined' });
  };
  const [parse, made, described] = fastest(
    [
      () => JSON.parse(text),
      making,
      () => describe(JSON.parse(text), probe, { fromJson: true, jsonBytes: true }),
    ],
    20,
  );
  return ratioRow(
    'schema and code of 2 MB of records, against describing them',
    (made! - parse!) / (described! - parse!),
    SCHEMA,
  );
}

export async function codecCosts(): Promise<Row[]> {
  const files = Object.entries(await writeRealData(folder));
  const { types } = await probeFor({ assume: 'v8' });
  const rows = files.flatMap(([name, file]) => {
    const value: Json = JSON.parse(readFileSync(file, 'utf8'));
    const schema = inferSchema([JSON.parse(readFileSync(file, 'utf8'))], types, true);
    return schema === null ? [] : [...guardRow(name, value, schema), ...escapeRows(name, value, schema)];
  });
  const medianRow = (what: string, budget: number): Row => {
    const values = rows.filter((row) => row.what.endsWith(what)).map(({ value }) => value);
    return ratioRow(`median of ${values.length}: ${what}`, medianOf(values), budget);
  };
  return [
    ...rows.map((row) => ({ ...row, budget: null, held: null })),
    medianRow('with guards against without', GUARDS),
    medianRow('one value in a thousand does not fit, against none', FEW_ESCAPES),
    medianRow('one in ten does not fit, against the original', 1),
    await schemaRow(),
  ];
}
