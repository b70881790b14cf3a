/** A fast value with one change: the verdict flips, the engine agrees, and a blocker names the changed path. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { classify } from '../../src/engines/classify/classify.ts';
import { withConfirmation } from '../../src/engines/classify/confirm.ts';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import { compareVersions } from '../../src/engines/versions/versions.ts';
import type { Verdict } from '../../src/model/documents/classification.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { withHidden } from '../../src/value/describe/describe.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import type { Answer } from './in-runtime.ts';
import { type Mutant, mutants } from './mutate.ts';
import { type OracleRunner, oracleRunner } from './oracle-runner.ts';
import { sourceOf } from './render.ts';

/** The others have an engine of these: `rule-payloads` tests try each of their rules. */
const RUNTIMES = usually<RuntimeSpec>(['bun@1.4.5', 'bun@1.3.10', 'node'], ['node@24.21.0', 'deno@2.9.6']);
const SEED = 20_250_821;
/** Each tries every change, on other values. */
const ROUNDS = usually([1], [3]).at(-1)!;

function verdictOf({ shape, confirmation }: Answer, here: FoundRuntime): Verdict {
  const where = { runtime: here, channel: 'message-port' } as const;
  const known = classify(withHidden(shape, confirmation.hidden), ENGINES[here.engine], STANDARD, where);
  return withConfirmation(known, confirmation).verdict;
}

function check({ change, before: base, after: changed, path }: Mutant, was: Verdict, is: Verdict): void {
  const description = `seed ${SEED}, ${change}\n  was ${sourceOf(base)}\n  is  ${sourceOf(changed)}`;
  assert.deepEqual([was.confirmed, was.blockers], [true, []], description);
  assert.equal(is.confirmed, true, `${description}\n  ${JSON.stringify(is)}`);
  assert.notDeepEqual([is.path, is.class], [was.path, was.class], description);
  const named = is.blockers.some((blocker) => blocker.path === path || blocker.example === path);
  assert.ok(named, `${description}\n  nothing names ${path}: ${JSON.stringify(is.blockers)}`);
}

for (const spec of RUNTIMES) {
  describe(spec, { skip: missing(spec) }, () => {
    let asking: OracleRunner;
    before(async () => {
      asking = await oracleRunner();
    });
    after(() => asking.close());
    test(`one change flips the verdict and is named (seed ${SEED})`, async () => {
      const here = runtime(spec);
      const all = mutants(SEED, ROUNDS, here.engine, (v) => compareVersions(here.version, v) < 0);
      const sources = all.flatMap((mutant) => [sourceOf(mutant.before), sourceOf(mutant.after)]);
      const answers = await asking.ask(here, sources);
      assert.ok(all.length >= 15 * ROUNDS);
      all.forEach((mutant, i) => {
        const [was, is] = [answers[2 * i], answers[2 * i + 1]];
        if (was instanceof Error || is instanceof Error) throw was instanceof Error ? was : is;
        check(mutant, verdictOf(was!, here), verdictOf(is!, here));
      });
    });
  });
}
