import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../src/model/documents/shape.ts';
import { bytesItem } from '../../src/report/print/verdict.ts';
import { facts, run, shape } from '../make.ts';
import { itemTexts } from './node-texts.ts';

const texts = (pattern: string, count: number, total: number): Facts =>
  facts(pattern, 'string', { count, bytes: { max: total, total } });

const said = (patterns: Facts[]): string[] =>
  itemTexts(bytesItem(run('node@24.21.0', { shape: shape({ patterns }) })));

test('the paths with most bytes are named, with what is in them by several kinds', () => {
  const patterns = [
    texts('$.rows[*].note', 10, 6000),
    facts('$.rows[*].note', 'number', { count: 200 }),
    texts('$.rows[*].id', 10, 1500),
    texts('$.head', 1, 900),
    texts('$.rest', 1, 800),
    texts('$.small', 1, 10),
  ];
  assert.deepEqual(said(patterns), ['$.rows[*].note 73 %, $.rows[*].id 13 %, $.head 7 %, by estimate.']);
});

test('bytes that are everywhere, and messages of few bytes', () => {
  const many = Array.from({ length: 40 }, (_, i) => texts(`$.k${i}`, 1, 100));
  assert.deepEqual(said(many), ['$.* 100 %, by estimate.']);
  const unlike = many.map((one, i) => ({ ...one, tag: `class ${i % 4}` }));
  assert.deepEqual(said(unlike), ['spread over 40 paths, each under 5 %, by estimate.']);
  assert.deepEqual(said([texts('$', 1, 900)]), []);
  assert.equal(bytesItem(run('node@24.21.0', { shape: null })), null);
});

test('if there were too many patterns, the place that contains them all is named', () => {
  assert.deepEqual(said([texts('$.versions.*..', 10, 6000)]), [
    'everything in $.versions.* 100 %, by estimate.',
  ]);
});
