import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrafficFinding } from '../../src/model/documents/recorded/traffic.ts';
import type { Report } from '../../src/model/documents/report.ts';
import { findingText, leftText, recordingNodes, recordingRows } from '../../src/report/print/recording.ts';
import { code } from '../../src/report/words.ts';
import { advice } from '../make.ts';
import { nodeTexts } from './node-texts.ts';
import { frozen } from './render.ts';

const NOTHING = { of: null, bytes: null, ns: null, savesMs: null };

const ROWS: [found: Pick<TrafficFinding, 'rule' | 'count'> & Partial<TrafficFinding>, said: string][] = [
  [{ rule: 'not-received', count: 1, of: 1 }, 'never received: 1 of 1 messages.'],
  [
    { rule: 'mostly-same', count: 4, equal: 0.9996, paths: ['$.session.lastSeen', '$.at'] },
    '99 % of each message equals the one before; changed: $.session.lastSeen, $.at.',
  ],
  [
    { rule: 'mostly-same', count: 4, equal: 0.5, paths: [] },
    '50 % of each message equals the one before; changed: parts that were not looked at.',
  ],
];

for (const [found, said] of ROWS)
  test(said, () => {
    assert.equal(findingText({ ...NOTHING, ...found }), said);
  });

test('the option that analyzes all sites is printed as it can be typed', () => {
  const left = { groups: 1000, messages: 20_000, share: 0.25 };
  const text = String(leftText({ left }, 7));
  assert.match(text, /^And 1,000 more sites: 20,000 messages, .* --top 1007 analyzes all\.$/);
});

test('a site with an undecided race is reported as undecided, not as "Nothing to do"', () => {
  const report = frozen('recording');
  const payloads = report.payloads.map((one) => ({
    ...one,
    ...(one.traffic && { traffic: { ...one.traffic, lint: [] } }),
    runs: one.runs.map((run) => ({ ...run, findings: [], advice: advice('unsure', { needs: 9000 }) })),
  }));
  const texts = nodeTexts(recordingNodes({ ...report, payloads }));
  const open = texts.filter((text) => /^Not decided: .*would probably decide\.$/.test(text));
  assert.ok(open.length > 0 && open.length <= payloads.length, texts.join('\n'));
  assert.ok(!texts.some((text) => text.startsWith('Nothing to do')), texts.join('\n'));
});

test('the messages of a site stand in a line from the start of the recording to its end', () => {
  const report = frozen('recording');
  const [recording] = report.recordings as [NonNullable<Report['recordings']>[number]];
  const whenOf = (counts: number[]) => {
    const payloads = report.payloads.slice(0, 1).map((one) => ({
      ...one,
      ...(one.traffic && { traffic: { ...one.traffic, times: { stepMs: 100, counts } } }),
    }));
    const recordings = [{ ...recording, elapsedMs: 600 }];
    const [table] = recordingRows({ ...report, recordings, payloads }).filter(({ type }) => type === 'table');
    return table?.type === 'table' && table.columns.find(({ head }) => head === 'when')?.cells;
  };
  assert.deepEqual(whenOf([0, 8, 1]), [code('·█▁···')]);
  assert.deepEqual(whenOf([]), undefined);
});
