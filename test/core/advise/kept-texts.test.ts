import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withKeptTexts } from '../../../src/core/advise/kept-texts.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Advice, Trial } from '../../../src/model/documents/trial.ts';
import type { EngineName } from '../../../src/model/names.ts';

const GAIN = { ratio: 0.5, ci: [0.4, 0.6] as [number, number] };

const texts = (total: number, max: number, flags: Facts['flags'] = []): Facts => ({
  ...{ pattern: '$[*]', depth: 1, parent: 'array', kind: 'string', flags, count: 100, example: '$[0]' },
  size: { min: 1, max, total },
});

const shapeOf = (...patterns: Facts[]): Shape => ({
  ...{ nodes: 100, depth: 1, jsonBytes: null, jsonSafe: true, patterns },
  truncated: { patterns: false, depth: false, items: false },
  representation: { by: 'assumed', engine: 'v8' },
});

const trialOf = (form: string): Trial => ({
  ...{ remedy: 'compiled', path: '$', plan: { path: '$', form }, equality: 'equal', losses: [] },
  ...{ withConversion: GAIN, inPlace: null, peakMemory: null, outcome: 'faster', outcomeInPlace: 'unsure' },
});

const apply = (remedy: string): Advice => ({ action: 'apply', remedy, path: '$', gain: GAIN, code: null });

test('who keeps one text keeps all: told where it matters', () => {
  const long = texts(217_000, 40);
  const all = (amount: string) => [
    `a receiver that keeps one text of 13 or more characters keeps all ${amount} of the message`,
  ];
  const rows: [
    name: string,
    shape: Shape | null,
    told: string[] | undefined,
    engine?: EngineName,
    form?: string,
    remedy?: string,
  ][] = [
    ['long texts', shapeOf(long), all('217 thousand')],
    ['very much text', shapeOf(texts(2_140_000, 40)), all('2.1 million')],
    ['little text', shapeOf(texts(50_000, 40)), undefined],
    ['short texts are copied', shapeOf(texts(217_000, 12)), undefined],
    ['texts that repeat are sent once', shapeOf(texts(217_000, 400, ['repeated'])), undefined],
    ['no shape', null, undefined],
    ['another engine', shapeOf(long), undefined, 'jsc'],
    ['texts apart', shapeOf(long), undefined, 'v8', 'listed'],
    ['another rewrite', shapeOf(long), undefined, 'v8', 'joined', 'json-text'],
  ];
  for (const [name, shape, told, engine = 'v8', form = 'joined', remedy = 'compiled'] of rows) {
    const advice = withKeptTexts(apply(remedy), [trialOf(form)], shape, engine);
    assert.deepEqual(advice?.costs, told, name);
  }
  assert.equal(withKeptTexts(null, [], null, 'v8'), null);
});
