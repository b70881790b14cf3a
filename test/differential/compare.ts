/** Many values on one runtime: how many verdicts agree with the engine, and those that do not. */
import type { Engine } from '../../src/model/rules/rule.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { programAt } from './generate.ts';
import { judged } from './judge.ts';
import type { OracleRunner } from './oracle-runner.ts';
import { sourceOf } from './render.ts';

/** In one process, as the exports of a large file. */
const BATCH = 700;

export interface Against {
  oracle: OracleRunner;
  runtime: FoundRuntime;
  engine: Engine;
}

/** @param count values, from the first of the seed's sequence */
export async function compare({ oracle, runtime, engine }: Against, seed: number, count: number) {
  const totals = {
    agree: 0,
    /** Of those that agree: verdicts with unknowns, all answered by the oracle. */
    settled: 0,
    /** Of those that agree: verdicts with an unknown that the oracle did not answer. */
    open: 0,
    /** The engine's oracle does not answer for such a value. */
    silent: 0,
    /** Value, prediction and what the oracle saw, in words. */
    wrong: [] as string[],
  };
  for (let from = 0; from < count; from += BATCH) {
    const programs = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
      programAt(seed, from + i),
    );
    const answers = await oracle.ask(runtime, programs.map(sourceOf));
    for (const [i, answer] of answers.entries()) {
      const value = `value ${from + i}: ${sourceOf(programs[i]!)}`;
      if (answer instanceof Error) {
        totals.wrong.push(`${value}\n  the runtime crashed: ${answer.message.slice(0, 300)}`);
        continue;
      }
      const { agrees, why, predicted, took, asked, open } = judged(programs[i]!, answer, runtime, engine);
      if (agrees === null) totals.silent++;
      if (agrees === true) {
        totals.agree++;
        if (open > 0) totals.open++;
        else if (asked > 0) totals.settled++;
      }
      if (agrees !== false) continue;
      const { evidence, hidden } = answer.confirmation;
      const flags = answer.shape.patterns.find(({ depth }) => depth === 0)?.flags.join(' ');
      const seen = `${took}: ${evidence}; hidden [${(hidden ?? []).join(', ')}]; flags ${flags}`;
      totals.wrong.push(`${value}\n  ${why}\n  prediction ${predicted}, oracle ${seen}`);
    }
  }
  return totals;
}
