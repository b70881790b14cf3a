import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../../src/model/documents/shape.ts';
import type { Advice, Trial } from '../../../src/model/documents/trial.ts';
import type { EngineName } from '../../../src/model/names.ts';
import { withKeptTexts } from '../../../src/stats/advise/advise.ts';
import { row, shapeOf, trial } from '../../make.ts';

const GAIN = { ratio: 0.5, ci: [0.4, 0.6] as [number, number] };

const texts = (total: number, max: number, flags: Facts['flags'] = []): Facts =>
  row('$[*]', 'string', flags, { count: 100, size: { min: 1, max, total } });

const trialOf = (form: string): Trial =>
  trial('compiled', 0.5, { plan: { path: '$', form }, withConversion: GAIN });

const apply = (remedy: string): Advice => ({ action: 'apply', remedy, path: '$', gain: GAIN, code: null });

test('a note warns that keeping one text keeps the whole text of the message, if that matters', () => {
  const long = texts(217_000, 40);
  const all = (amount: string) => [`a kept text of 13+ characters keeps all ${amount} characters`];
  const rows: [
    name: string,
    shape: ReturnType<typeof shapeOf> | null,
    told: string[] | undefined,
    engine?: EngineName,
    form?: string,
    remedy?: string,
  ][] = [
    ['long texts', shapeOf('v8', long), all('217 thousand')],
    ['very much text', shapeOf('v8', texts(2_140_000, 40)), all('2.1 million')],
    ['little text', shapeOf('v8', texts(50_000, 40)), undefined],
    ['short texts are copied', shapeOf('v8', texts(217_000, 12)), undefined],
    ['texts that repeat are sent once', shapeOf('v8', texts(217_000, 400, ['repeated'])), undefined],
    ['no shape', null, undefined],
    ['another engine', shapeOf('v8', long), undefined, 'jsc'],
    ['texts apart', shapeOf('v8', long), undefined, 'v8', 'listed'],
    ['another rewrite', shapeOf('v8', long), undefined, 'v8', 'joined', 'json-text'],
  ];
  for (const [name, shape, told, engine = 'v8', form = 'joined', remedy = 'compiled'] of rows) {
    const advice = withKeptTexts(apply(remedy), [trialOf(form)], shape, engine);
    assert.deepEqual(advice?.costs, told, name);
  }
  assert.equal(withKeptTexts(null, [], null, 'v8'), null);
});
