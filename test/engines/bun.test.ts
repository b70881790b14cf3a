/** The published tables of Bun's fast paths on real releases: prediction of the rules and what Bun does. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { classify } from '../../src/core/classify/classify.ts';
import { withConfirmation } from '../../src/core/classify/confirm.ts';
import { compareVersions } from '../../src/core/versions.ts';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import type { PathName } from '../../src/model/names.ts';
import { missing, runtime } from '../support/runtimes.ts';
import type { Answer } from './in-runtime/bun-table.ts';
import { type BunValue, VALUES } from './in-runtime/bun-values.ts';
import { answerOf } from './run-in-runtime.ts';

const RUNTIMES = ['bun@1.4.5', 'bun@1.3.10', 'bun@1.3.9', 'bun@1.2.22', 'bun@1.2.21', 'bun@1.2.20'] as const;

const FIRST: readonly [RegExp, string][] = [
  [/^string-/, '1.2.21'],
  [/-object$/, '1.2.22'],
  [/-array$/, '1.3.10'],
];

function expected({ path, until }: BunValue, version: string): PathName {
  if (until && compareVersions(version, until.version) < 0) return until.path;
  const since = FIRST.find(([family]) => family.test(path))?.[1];
  return since !== undefined && compareVersions(version, since) < 0 ? 'serializer' : path;
}

for (const spec of RUNTIMES) {
  describe(spec, { skip: missing(spec) }, () => {
    const here = runtime(spec);
    let answer: Answer = {};
    before(async () => {
      answer = await answerOf<Answer>(spec, 'bun-table');
    });
    for (const value of VALUES) {
      const path = expected(value, here.version);
      test(`${value.name}: ${path}`, () => {
        const { shape, confirmation } = answer[value.name]!;
        const predicted = classify(shape, ENGINES.jsc, STANDARD, { runtime: here, channel: 'message-port' });
        const { verdict } = withConfirmation(predicted, confirmation);
        const facts = JSON.stringify({
          confirmation,
          before: predicted.verdict,
          patterns: shape.patterns.slice(0, 3),
        });
        if (path === 'serializer' || verdict.path !== value.or) assert.equal(verdict.path, path, facts);
        assert.notEqual(verdict.confirmed, false, facts);
      });
    }
  });
}

test('every row exists once', () => {
  assert.equal(new Set(VALUES.map(({ name }) => name)).size, VALUES.length);
});
