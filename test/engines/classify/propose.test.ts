import assert from 'node:assert/strict';
import { test } from 'node:test';
import { propose } from '../../../src/engines/classify/classify.ts';
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { Remedy } from '../../../src/model/rules/remedy.ts';
import type { Classification } from '../../../src/model/rules/rule.ts';
import { blocker, finding, shapeOf, verdict } from '../../make.ts';

const shape = shapeOf('v8');

function remedy(name: string, ...paths: string[]): Remedy {
  return {
    name,
    title: name,
    plans: () => paths.map((path): Plan => ({ path })),
    apply: (value) => value,
    restore: (message) => message,
    codec: () => ({ source: '', calls: { sender: '', receiver: '' }, messageType: 'Payload', assumes: [] }),
  };
}

function found(blockers: string[], slow: string[] = [], notes: string[] = []): Classification {
  const findings = [
    ...slow.map((rule) => finding(rule, '$')),
    ...notes.map((rule) => finding(rule, '$', { level: 'note' })),
  ];
  return { verdict: verdict({ blockers: blockers.map((rule) => blocker(finding(rule, '$'))) }), findings };
}

const RULES = [
  { id: 'nested', remedies: ['plain', 'json-text'] },
  { id: 'holey', remedies: ['repack'] },
  { id: 'text', remedies: ['rebuild'] },
];
const all = [
  remedy('rebuild', '$'),
  remedy('repack', '$.a', '$.b'),
  remedy('json-text', '$', '$.a'),
  remedy('plain', '$'),
  remedy('share'),
];
const shown = (proposals: { remedy: string; plan: Plan }[]) =>
  proposals.map(({ remedy: name, plan }) => `${name} ${plan.path}`);

const ROWS: [name: string, facts: Classification, limit: number, expected: string[]][] = [
  ['own order without findings', found([]), 3, ['rebuild $', 'repack $.a', 'json-text $']],
  ['blockers first, in the order of the rule', found(['nested']), 3, ['plain $', 'json-text $', 'rebuild $']],
  ['then what is slow', found(['nested'], ['holey']), 3, ['plain $', 'json-text $', 'repack $.a']],
  ['notes do not count', found([], [], ['nested']), 2, ['rebuild $', 'json-text $']],
  [
    'first plans before second ones',
    found(['holey']),
    9,
    ['repack $.a', 'rebuild $', 'json-text $', 'plain $', 'repack $.b', 'json-text $.a'],
  ],
  ['json-text is never crowded out', found(['holey', 'text']), 2, ['repack $.a', 'json-text $']],
  ['unknown rules name nothing', found(['strange']), 1, ['json-text $']],
  ['no room', found(['nested']), 0, []],
];

for (const [name, facts, limit, expected] of ROWS)
  test(`propose: ${name}`, () => {
    assert.deepEqual(shown(propose(shape, facts, all, limit, RULES)), expected);
  });

test('propose: six plans by default, equal plans once', () => {
  const many = Array.from({ length: 9 }, (_, i) => remedy(`r${i}`, '$', '$'));
  assert.deepEqual(shown(propose(shape, found([]), many)), ['r0 $', 'r1 $', 'r2 $', 'r3 $', 'r4 $', 'r5 $']);
});
