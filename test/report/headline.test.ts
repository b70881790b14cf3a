import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headline } from '../../src/report/print/report.ts';
import { FROZEN } from './frozen/reports.ts';

const { advice, failures } = FROZEN;

const headlineOf = (...ids: string[]): string => {
  const payloads = [...advice!.payloads, ...failures!.payloads].filter(({ id }) => ids.includes(id));
  assert.equal(payloads.length, ids.length);
  return headline({ ...advice!, payloads });
};

const HEADLINES: readonly [headline: string, ...ids: string[]][] = [
  ['The payload gets 10x faster', 'tile'],
  ['The payload cannot be posted', 'tasks'],
  ['Nothing found that makes the payload faster', 'log-line'],
  ['Not decided whether anything makes 3 payloads faster', 'log-line', 'rows', 'frames'],
  ['What engines do with the payload', 'config'],
  ['2 of 2 payloads failed', 'broken', 'threw'],
];

for (const [text, ...ids] of HEADLINES)
  test(`the headline of ${ids.join(', ')}`, () => assert.equal(headlineOf(...ids), text));
