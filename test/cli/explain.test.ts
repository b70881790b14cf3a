import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import { PATHS, RULES } from '../../src/engines/rule-book/rule-book.ts';
import { runSchema, STEP_KINDS } from '../../src/model/documents/report.ts';
import { adviceSchema, trialSchema } from '../../src/model/documents/trial.ts';
import { MESSAGES } from '../../src/model/errors.ts';
import { CHECKED, LIMIT_OUTCOMES } from '../../src/model/gate/limits.ts';
import { CHANNELS, COST_CLASSES, LEVELS } from '../../src/model/names.ts';
import type { Remedy } from '../../src/model/rules/remedy.ts';
import { POST_OUTCOMES } from '../../src/model/rules/rule.ts';
import { TRAFFIC_RULES } from '../../src/model/vocabulary/traffic.ts';
import { STRATEGY_NAMES } from '../../src/model/vocabulary/words.ts';
import { allMeanings, meaningsOf } from '../../src/report/meanings/meanings.ts';
import { answerNodes } from '../../src/report/print/answer.ts';
import { FROZEN } from '../report/render.ts';
import { ROOT } from '../support/spawn-cli.ts';

const ALL = allMeanings();
const words = {
  rule: Object.keys(RULES),
  path: Object.values(PATHS).flatMap((own) => Object.keys(own)),
  rewrite: Object.keys(REMEDIES),
  finding: TRAFFIC_RULES,
  class: COST_CLASSES,
  limit: CHECKED,
  error: Object.keys(MESSAGES),
  glossary: ['floor', 'Obstacle', 'copied', 'shape', 'no gain', 'because', 'also', 'noise', 'busy machine'],
};

for (const [kind, all] of Object.entries(words))
  test(`each ${kind} is explained`, () => {
    assert.ok(all.length > 3);
    for (const word of all) {
      const found = meaningsOf(word, ALL).find((meaning) => meaning.kind.startsWith(kind));
      assert.ok(found !== undefined && found.text.length > 5, word);
      assert.doesNotMatch(found.text, /\[object|\]\(|\{[a-z]+\}/, word);
    }
  });

test('each word of a verdict, a trial, an advice, a check and a sweep is explained', () => {
  const { outcome, equality } = trialSchema.shape;
  const printed = [
    ...[runSchema.shape.status, outcome, equality, adviceSchema.shape.action].flatMap(
      ({ options }) => options,
    ),
    ...[LEVELS, CHANNELS, LIMIT_OUTCOMES, POST_OUTCOMES, STRATEGY_NAMES, ['raw']].flat(),
  ];
  for (const word of printed) assert.ok(meaningsOf(word, ALL)[0]!.text.length > 5, word);
});

test('each word and class in the tables of README is explained', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const tables = readme.match(/^\| (?:word|class, best first) \|.*\n(?:\|.*\n)+/gm) ?? [];
  const cells = tables.flatMap((table) => [...table.matchAll(/^\| (.+?) \|/gm)].slice(2));
  const printed = cells.flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  const words = printed.filter((word) => !/\d/.test(word));
  assert.ok(words.length > 12);
  for (const word of words) assert.ok(meaningsOf(word, ALL).length > 0, word);
});

test('words of the glossary do not share a meaning, except names of one thing', () => {
  const words = new Map<string, string[]>();
  for (const { kind, word, text } of ALL)
    if (kind === 'glossary') words.set(text, [...(words.get(text) ?? []), word]);
  const shared = [...words.values()].filter(({ length }) => length > 1);
  assert.deepEqual(shared, [
    ['round trip', 'round-trip'],
    ['unsure', 'undecided'],
  ]);
});

test('the meaning of an error is a sentence, not only the places of facts in one', () => {
  for (const { kind, word, text } of ALL.filter((one) => one.kind.startsWith('error'))) {
    const said = text.replace(/<\w+>/g, '').match(/[a-z]{2,}/gi) ?? [];
    assert.ok(said.length > 1, `${word} (${kind}): ${text}`);
  }
});

test('a rewrite has its effect, its costs and a command', () => {
  for (const { word, text, example } of ALL.filter(({ kind }) => kind === 'rewrite')) {
    assert.match(example?.join() ?? '', /^npx clone-prof (?:analyze|codec) /, word);
    const { costs = [] } = REMEDIES[word as keyof typeof REMEDIES] as Remedy;
    assert.equal(costs.length > 0 && !text.includes('It costs: '), false, word);
  }
});

test('explain shows a payload that fires and a near miss for a rule, named with or without its engine', () => {
  const [rule] = meaningsOf('jsc/nested-value');
  assert.match(rule?.example?.join('\n') ?? '', /fires = .*\n.*nearMiss = /);
  assert.deepEqual(meaningsOf('Nested-Value')[0], rule);
  assert.ok(meaningsOf('accessor').length > 1);
});

const isExplained = (word: string): boolean => {
  try {
    return meaningsOf(word, ALL).length > 0;
  } catch {
    return false;
  }
};

/** Fields of a stored report whose values are words of the tool, wherever they stand. */
const FIELDS = new Set([
  ...['class', 'path', 'aspired', 'rule', 'level', 'remedy', 'outcome', 'equality', 'action', 'channel'],
  ...['status', 'code', 'traffic', 'fate', 'exceeds', 'work', 'engine'],
]);

/** Rules and rewrites that only stored reports have. */
const OLD = new Set(['columns', 'flat-rows', 'flatten']);

/** Names and texts of the program that was measured. */
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][\w-]*(?:\/[\w-]+)?$/.test(value);

function* wordsIn(value: unknown, field = ''): Generator<string> {
  if (FIELDS.has(field) && isWord(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* wordsIn(inner, Array.isArray(value) ? field : key);
}

test('each word of a stored report is explained, and each head of the table of an answer', () => {
  const missing = new Set<string>();
  for (const report of Object.values(FROZEN)) {
    const printed = [
      ...report.payloads.flatMap(({ runs }) => runs.flatMap((run) => [...wordsIn(run)])),
      ...STEP_KINDS,
    ];
    const nodes = report.payloads.flatMap((payload) => answerNodes(payload));
    const heads = nodes.flatMap((node) =>
      node.type === 'table' ? node.columns.map(({ head }) => head) : [],
    );
    for (const word of [...printed, ...heads])
      if (word !== '' && !OLD.has(word) && !isExplained(word)) missing.add(word);
  }
  assert.deepEqual([...missing], []);
});
