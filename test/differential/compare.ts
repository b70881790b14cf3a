/** Many values on one runtime: how many verdicts agree with the engine, and the smallest value for each that does not. */
import type { Engine } from '../../src/model/rules/rule.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { programAt } from './generate.ts';
import { type Judgement, judged } from './judge.ts';
import type { OracleRunner } from './oracle-runner.ts';
import type { Program } from './program.ts';
import { sourceOf } from './render.ts';
import { smallestWrong } from './shrink.ts';

export interface Comparison {
  agree: number;
  /** Of those that agree: verdicts with unknowns, all answered by the oracle. */
  settled: number;
  /** Of those that agree: verdicts with an unknown that the oracle did not answer. */
  open: number;
  /** The engine's oracle does not answer for such a value. */
  silent: number;
  disagreements: Disagreement[];
}

export interface Disagreement {
  index: number;
  why: string;
  predicted: string;
  evidence: string;
  source: string;
}

/** In one process, as the exports of a large file. */
const BATCH = 700;
const MAX_SHRUNK = 5;

export interface Against {
  oracle: OracleRunner;
  runtime: FoundRuntime;
  engine: Engine;
}

interface ComparedValue extends Judgement {
  evidence: string;
}

export async function compareBatch(
  { oracle, runtime, engine }: Against,
  programs: readonly Program[],
): Promise<ComparedValue[]> {
  const answers = await oracle.ask(runtime, programs.map(sourceOf));
  return answers.map((answer, i): ComparedValue => {
    if (answer instanceof Error) return crashed(answer);
    const judgement = judged(programs[i]!, answer, runtime, engine);
    const { evidence, hidden } = answer.confirmation;
    const flags = answer.shape.patterns.find(({ depth }) => depth === 0)?.flags.join(' ');
    return {
      ...judgement,
      evidence: `${judgement.took}: ${evidence}; hidden [${(hidden ?? []).join(', ')}]; flags ${flags}`,
    };
  });
}

function crashed({ message }: Error): ComparedValue {
  const why = `the runtime crashed: ${message.slice(0, 300)}`;
  return { agrees: false, why, predicted: 'serializer', took: null, asked: 0, open: 0, evidence: '' };
}

/** @param count values, from the first of the seed's sequence */
export async function compare(against: Against, seed: number, count: number): Promise<Comparison> {
  const totals: Comparison = { agree: 0, settled: 0, open: 0, silent: 0, disagreements: [] };
  for (let from = 0; from < count; from += BATCH) {
    const programs = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
      programAt(seed, from + i),
    );
    const all = await compareBatch(against, programs);
    for (let i = 0; i < all.length; i++) {
      counted(totals, all[i]!);
      if (all[i]!.agrees === false)
        totals.disagreements.push(await explained(against, from + i, programs[i]!, all[i]!, totals));
    }
  }
  return totals;
}

function counted(totals: Comparison, { agrees, asked, open }: ComparedValue): void {
  if (agrees === null) totals.silent++;
  if (agrees !== true) return;
  totals.agree++;
  if (open > 0) totals.open++;
  else if (asked > 0) totals.settled++;
}

async function explained(
  against: Against,
  index: number,
  program: Program,
  among: ComparedValue,
  { disagreements }: Comparison,
): Promise<Disagreement> {
  const isShrunk = disagreements.length < MAX_SHRUNK;
  const least = isShrunk ? await smallestWrong(program, disagree(against)) : program;
  const [alone] = await compareBatch(against, [least]);
  // Other values of its process may have a part in it.
  const { why, predicted, evidence } = alone!.agrees === false ? alone! : among;
  return { index, why, predicted, evidence, source: sourceOf(least) };
}

const disagree =
  (against: Against) =>
  async (programs: readonly Program[]): Promise<boolean[]> =>
    (await compareBatch(against, programs)).map(({ agrees }) => agrees === false);

export function told({ index, why, predicted, evidence, source }: Disagreement): string {
  return [
    `value ${index}: ${why}`,
    `  value:      ${source}`,
    `  prediction: ${predicted}`,
    `  oracle:     ${evidence}`,
  ].join('\n');
}
