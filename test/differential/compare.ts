/** Many values on one runtime: how many verdicts agree with the engine, and those that do not. */

import { classify } from '../../src/engines/classify/classify.ts';
import { isSurprisingRefusal, withConfirmation } from '../../src/engines/classify/observed.ts';
import type { Unknown } from '../../src/model/documents/classification.ts';
import type { RuntimeId } from '../../src/model/documents/names.ts';
import type { Facts, Shape } from '../../src/model/documents/shape.ts';
import type { PathName } from '../../src/model/names.ts';
import type { Engine } from '../../src/model/rules/rule.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import type { Confirmation } from '../../src/model/wire/wire.ts';
import { withHidden } from '../../src/value/describe/shape-rows.ts';
import { programAt } from './generate.ts';
import type { Answer } from './in-runtime.ts';
import type { OracleRunner } from './oracle-runner.ts';
import { allSteps, type Program, partsOf, sourceOf } from './program.ts';
import { HIDDEN_STATE_STEPS, OBJECTS } from './structures.ts';

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

// Prediction against oracle for one value: the rule book may have unknowns, but must not be wrong.

export interface Judgement {
  /** Null: the engine's oracle does not answer for such a value. */
  agrees: boolean | null;
  /** What is wrong, in words; "" when the prediction is right. */
  why: string;
  predicted: PathName;
  took: PathName | null;
  /** Unknowns of the prediction, and those that the oracle did not answer either. */
  asked: number;
  open: number;
}

/** Runtimes for a nested string or array posted as a separate message, without Deno's special cases. */
const ALONE: Readonly<Record<string, RuntimeId>> = {
  v8: { name: 'node', version: '24.21.0', engine: 'v8' },
};

export function judged(program: Program, answer: Answer, runtime: RuntimeId, engine: Engine): Judgement {
  const { shape, confirmation } = answer;
  const where = { runtime, channel: 'message-port' } as const;
  const before = classify(shape, engine, where);
  const after = withConfirmation(before, confirmation).verdict;
  const predicted = before.verdict.path;
  const took = confirmation.path;
  const asked = before.verdict.unknowns.length;
  const base = { predicted, took, asked, open: after.unknowns.length };
  if (took === null) return { ...base, agrees: null, why: '' };
  const known = classify(withHidden(shape, confirmation.hidden), engine, where);
  const complaints = [
    after.confirmed === true ? '' : `predicted ${predicted}, confirmed as ${after.path}`,
    isSurprisingRefusal(before, confirmation) ? `predicted ${predicted}, refused` : '',
    asked > 0 || samePath(predicted, took) ? '' : 'wrong without an open question',
    withConfirmation(known, confirmation).verdict.confirmed === true
      ? ''
      : `with hidden state: ${known.verdict.path}`,
    unexplainedHiddenState(program, confirmation),
    ...nestedErrors(shape, confirmation, before.verdict.unknowns, runtime, engine),
  ].filter((complaint) => complaint !== '');
  return { ...base, agrees: complaints.length === 0, why: complaints.join('; ') };
}

/** The oracle's value may have the other kind of number storage; see withConfirmation. */
function samePath(predicted: PathName, took: PathName): boolean {
  const blocks: PathName[] = ['int32-array', 'double-array'];
  return predicted === took || (blocks.includes(predicted) && blocks.includes(took));
}

const HIDDEN_ORIGINS = Object.keys(OBJECTS).filter((origin) => origin.includes('#'));

/** Two of these may define one property twice: a getter replaced by data, a hidden property made enumerable. */
const REDEFINING = /getter|setter|non-|read-only|hidden|__proto__/;

/** Hidden state explains a slow object only where the program created some. */
function unexplainedHiddenState(program: Program, { hidden }: Confirmation): string {
  const [first] = hidden ?? [];
  return first === undefined || canHide(program) ? '' : `${first} called hidden state without cause`;
}

function canHide(program: Program): boolean {
  if (program.op === 'object' && HIDDEN_ORIGINS.includes(program.origin)) return true;
  if (program.op === 'object' && program.steps.filter((step) => REDEFINING.test(step.do)).length > 1)
    return true;
  return allSteps(program).some((step) => step.do in HIDDEN_STATE_STEPS) || partsOf(program).some(canHide);
}

/** Nested strings and arrays: each row alone against what the oracle saw of its example. */
function nestedErrors(
  shape: Shape,
  { examples }: Confirmation,
  unknowns: readonly Unknown[],
  runtime: RuntimeId,
  engine: Engine,
): string[] {
  return examples.map(({ pattern, example, path: saw }) => {
    const row = shape.patterns.find((facts) => facts.pattern === pattern && facts.example === example);
    const open = unknowns.some(({ what, path }) => path === pattern && what !== 'delete-history');
    if (row === undefined || open) return '';
    const predicted = pathAlone(row, shape, runtime, engine);
    return predicted === null || predicted === saw ? '' : `${example} would take ${predicted}, took ${saw}`;
  });
}

/** Null: an open question. */
function pathAlone(row: Facts, shape: Shape, runtime: RuntimeId, engine: Engine): PathName | null {
  const alone: Shape = {
    ...shape,
    depth: 0,
    patterns: [{ ...row, pattern: '$', example: '$', depth: 0, parent: null }],
  };
  const where = { runtime: ALONE[engine.name] ?? runtime, channel: 'message-port' } as const;
  const { path, unknowns } = classify(alone, engine, where).verdict;
  return unknowns.length > 0 ? null : path;
}
