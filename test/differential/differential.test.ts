/**
 * The quick part of the differential test: generated values, the rule book's verdict before the engine was asked, and
 * what the engine really did. `npm run verify:all` is the whole.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ENGINES } from '../../src/engines/index.ts';
import type { Engine } from '../../src/model/rule.ts';
import { runtime } from '../support/runtimes.ts';
import { type Asker, asker } from './ask.ts';
import { compare, printed } from './compare.ts';
import { programAt } from './generate.ts';
import { judged } from './judge.ts';
import { sourceOf } from './render.ts';

const SEED = 20_260_208;
const VALUES = 500;
const RUNTIMES = ['bun@1.4.5', 'bun@1.3.9', 'bun@1.2.21', 'node', 'node@24.21.0', 'deno@2.9.6'];
/** Deno hands primitives over without V8, and says so of none. */
const MOST_SILENT = 0.15;
/** Built-in functions that learnt from the values before. */
const MOST_ALONE = 0.02;

let asking: Asker;
before(async () => {
  asking = await asker();
});
after(() => asking.close());

for (const spec of RUNTIMES) {
  test(`${spec}: ${VALUES} verdicts agree with the engine (seed ${SEED})`, async () => {
    const here = await runtime(spec);
    const { agree, silent, alone, disagreements } = await compare(
      { asker: asking, runtime: here, engine: ENGINES[here.engine] },
      SEED,
      VALUES,
    );
    assert.equal(disagreements.length, 0, disagreements.map(printed).join('\n'));
    assert.equal(agree + silent, VALUES);
    assert.ok(silent <= MOST_SILENT * VALUES, `${silent} without an answer`);
    assert.ok(alone <= MOST_ALONE * VALUES, `${alone} only in a process of their own`);
  });
}

const without = (engine: Engine, id: string): Engine => ({
  ...engine,
  rules: engine.rules.filter((rule) => rule.id !== id),
});

describe('a planted mistake is caught and cut down', () => {
  const planted: [string, string, RegExp][] = [
    [
      'bun@1.4.5',
      'jsc/symbol-key',
      /^return keep\(\(\(v\) => \{ try \{ v\[Symbol\("s"\)\] = .{1,12}; \} catch \{\} return v; \}\)/,
    ],
    ['node@24.21.0', 'v8/indexed-key', /^return keep\(.{0,60}(\["\d+"\]|v\[\d\] = 1)/],
  ];
  for (const [spec, id, least] of planted) {
    test(`${spec} without ${id}`, async () => {
      const here = await runtime(spec);
      const engine = without(ENGINES[here.engine], id);
      const { disagreements } = await compare({ asker: asking, runtime: here, engine }, SEED, 250);
      assert.ok(disagreements.length > 0);
      const [first] = disagreements;
      assert.match(first!.source, least, printed(first!));
      assert.match(printed(first!), new RegExp(`^${here.spec}, seed ${SEED}, value \\d+: `));
    });
  }
});

/** They ask for another channel, a transfer list, a version or more levels than a value of this test has. */
const OUT_OF_REACH = /transfer|cross-process|ipc|too-early|blob|deep|platform/;
/** An object of many keys must lose one, a row be there twice: seldom among so few values. */
const SELDOM = ['jsc/uncacheable-dictionary', 'jsc/non-extensible-object', 'jsc/repeated-element'];

for (const spec of ['bun@1.4.5', 'node@24.21.0']) {
  test(`${spec}: any rule that takes a path away would be missed (seed ${SEED})`, async () => {
    const here = await runtime(spec);
    const book = ENGINES[here.engine];
    const programs = Array.from({ length: VALUES }, (_, index) => programAt(SEED, index));
    const answers = await asking.ask(here, programs.map(sourceOf));
    const wrong = (engine: Engine) =>
      answers.filter((answer, i) => {
        if (answer instanceof Error) throw answer;
        return judged(programs[i]!, answer, here, engine).agrees === false;
      }).length;
    const taking = book.rules.filter(
      ({ id, blocks }) => blocks && !OUT_OF_REACH.test(id) && !SELDOM.includes(id),
    );
    assert.ok(taking.length > 8);
    const base = wrong(book);
    const unmissed = taking.filter(({ id }) => wrong(without(book, id)) <= base).map(({ id }) => id);
    assert.deepEqual(unmissed, []);
  });
}
