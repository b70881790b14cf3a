/**
 * The quick part of the differential test: the rule book's verdict for generated values against what the engine really
 * does. `npm run verify:all` runs all of it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENGINES } from '../../src/engines/index.ts';
import { inRange } from '../../src/engines/versions/versions.ts';
import type { Engine, Rule } from '../../src/model/rules/rule.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { compare, judged } from './compare.ts';
import { programAt } from './generate.ts';
import { type OracleRunner, oracleRunner } from './oracle-runner.ts';
import { sourceOf } from './program.ts';

const SEED = 20_260_208;
const VALUES = usually([300], [600]).at(-1)!;
const RUNTIMES = usually(
  ['bun@1.4.5', 'node'],
  ['bun@1.2.20', 'bun@1.2.21', 'bun@1.2.22', 'bun@1.3.9', 'bun@1.3.10', 'deno@2.9.6', 'node@24.21.0'],
);
/** Deno posts primitives without V8, so its oracle does not answer for them. */
const MAX_SILENT = 0.15;

let asking: OracleRunner;
before(async () => {
  asking = askedOnce(await oracleRunner());
});
after(() => asking.close());

/** Several tests are about the same values. */
function askedOnce({ ask, close }: OracleRunner): OracleRunner {
  const known = new Map<string, ReturnType<typeof ask>>();
  return {
    ask(here, sources) {
      const key = JSON.stringify([here.spec, sources]);
      const answers = known.get(key) ?? ask(here, sources);
      known.set(key, answers);
      return answers;
    },
    close,
  };
}

for (const spec of RUNTIMES) {
  test(`${spec}: ${VALUES} verdicts agree with the engine (seed ${SEED})`, {
    skip: missing(spec),
  }, async () => {
    const here = runtime(spec);
    const { agree, silent, wrong } = await compare(
      { oracle: asking, runtime: here, engine: ENGINES[here.engine] },
      SEED,
      VALUES,
    );
    assert.deepEqual(wrong, []);
    assert.equal(agree + silent, VALUES);
    assert.ok(silent <= MAX_SILENT * VALUES, `${silent} without an answer`);
  });
}

const without = (book: Engine, id: string | null): Engine => ({
  ...book,
  rules: book.rules.filter((rule) => rule.id !== id),
});

/** An expression cannot make the first, and only the oracle fires the second. */
const OUT_OF_REACH = [
  ...['spec/module-namespace', 'spec/refused', 'spec/stack-overflow'],
  // Of Node and Deno few are refused; verify posts one of each class.
  'spec/platform-object-refused',
  // Opening a file takes a promise: it has a fixture.
  'v8/file-handle',
  // Buffers of gigabytes: each has a fixture.
  'spec/buffer-too-large',
  // No oracle answers for a message that never arrives, or as null.
  ...['jsc/blob-inside', 'jsc/memory-after-bigint', 'spec/message-lost'],
];

/** The rule takes or refuses a path of messages to a port, in this version. */
function decides({ id, blocks, level, scope }: Rule, { name, version }: FoundRuntime): boolean {
  if (OUT_OF_REACH.includes(id) || (blocks === undefined && level !== 'rejected')) return false;
  if (scope?.transferring === true || scope?.channels?.includes('message-port') === false) return false;
  const range = scope?.runtimes === undefined ? '*' : scope.runtimes[name];
  return range !== undefined && inRange(version, range);
}

for (const spec of RUNTIMES) {
  const name = `${spec}: the test fails without any of the rules that decide a path (seed ${SEED})`;
  test(name, { skip: missing(spec) }, async () => {
    const here = runtime(spec);
    const book = ENGINES[here.engine];
    const programs = Array.from({ length: VALUES }, (_, index) => programAt(SEED, index));
    const answers = await asking.ask(here, programs.map(sourceOf));
    const agrees = (i: number, id: string | null) => {
      const answer = answers[i]!;
      if (answer instanceof Error) throw answer;
      return judged(programs[i]!, answer, here, without(book, id)).agrees !== false;
    };
    const right = programs.map((_, i) => i).filter((i) => agrees(i, null));
    const deciding = book.rules.filter((rule) => decides(rule, here));
    assert.ok(deciding.length > 15);
    const unmissed = deciding.filter(({ id }) => right.every((i) => agrees(i, id))).map(({ id }) => id);
    assert.deepEqual(unmissed, []);
  });
}
