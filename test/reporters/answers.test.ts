import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report, Run } from '../../src/model/documents/report.ts';
import { adviceWithGain, answerRows, payloadAnswers } from '../../src/reporters/print/answer-rows.ts';
import type { AnswerRow } from '../../src/reporters/section/model/answer-row.ts';
import { advice, estimate, payload, run, verdict } from '../make.ts';
import { FROZEN } from './frozen/reports.ts';

const answerOf = (more: Partial<Run>): AnswerRow =>
  payloadAnswers(payload('a', [run('node@24.21.0', more)]))[0]!;

test('what would be gained is a share of what it costs now', () => {
  const gain = { ratio: 0.4, ci: [0.35, 0.5] as [number, number] };
  const { now, best, ...answer } = answerOf({ advice: advice('apply', { remedy: 'columns', gain }) });
  assert.ok(now);
  assert.deepEqual(best, { median: now.median * 0.4, ci: [now.median * 0.35, now.median * 0.5] });
  assert.deepEqual(answer.gain, gain);
  assert.equal(adviceWithGain(answer), 'columns: 2.5x');
});

const rejected = verdict({ class: 'rejected', path: 'rejected' });
const error = { code: 'interrupted', message: 'interrupted' };
const rows: [name: string, run: Partial<Run>, advice: string, certainty: AnswerRow['certainty']][] = [
  ['no rewrite is faster', { advice: advice('nothing') }, 'no rewrite', 'sure'],
  ['near the floor', { advice: advice('not-the-clone') }, 'fewer, larger messages', 'sure'],
  [
    'near the empty file',
    { channel: 'storage', advice: advice('not-the-clone') },
    'fewer, larger files',
    'sure',
  ],
  ['not decided', { advice: advice('unsure') }, 'unsure', 'unsure'],
  ['not all could be tried', { advice: advice('not-tried') }, 'not tried', 'unsure'],
  [
    'only in place',
    { advice: advice('unsure', { remedy: 'columns', gain: estimate(0.2), ownsBothForms: true }) },
    'unsure',
    'unsure',
  ],
  [
    'rejected, and no rewrite can be sent',
    { verdict: rejected, measurement: null, advice: advice('unsure') },
    'fix the causes',
    'sure',
  ],
  [
    'rejected, and nothing was tried',
    { status: 'classified', verdict: rejected, measurement: null, advice: null },
    'fix the causes',
    'sure',
  ],
  [
    'rejected, and a rewrite can be sent',
    { verdict: rejected, measurement: null, advice: advice('apply', { remedy: 'plain', gain: null }) },
    'plain',
    'sure',
  ],
  [
    'classified only',
    { status: 'classified', error, measurement: null, advice: null },
    'not measured',
    'not-measured',
  ],
  ['failed', { status: 'failed', error, measurement: null, advice: null }, 'run it again', 'failed'],
];

for (const [name, more, advice, certainty] of rows) {
  test(`${name}: nothing is gained, and how sure that is`, () => {
    const answer = answerOf(more);
    assert.deepEqual(
      { ...answer, channel: null, status: null, now: null, runtime: null, perMB: null },
      {
        ...{ payload: 'a', runtime: null, channel: null, status: null, now: null },
        ...{ best: null, perMB: null, gain: null, advice, isRewrite: advice === 'plain', certainty },
      },
    );
  });
}

test('every payload and run of a report has an answer, the fastest run first', () => {
  for (const report of Object.values<Report>(FROZEN)) {
    const answers = answerRows(report);
    for (const { id, runs } of report.payloads) {
      const own = answers.filter(({ payload }) => payload === id);
      assert.equal(own.length, Math.max(1, runs.length));
      const medians = own.flatMap(({ now }) => now?.median ?? []);
      assert.deepEqual(
        medians,
        [...medians].sort((a, b) => a - b),
      );
    }
  }
});

test('a payload that could not be loaded has failed, without a runtime', () => {
  const [answer] = answerRows(FROZEN.failures!);
  assert.equal(answer?.certainty, 'failed');
  assert.equal(answer.runtime, null);
});
