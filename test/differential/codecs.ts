/** Compiled codecs of many values on one runtime, and those that do not bring what a clone brings. */
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import type { Trial } from '../codec/compiled/trial.ts';
import type { CodecTask } from './codecs-in-runtime.ts';
import { type ValueRunner, valueRunner } from './oracle-runner.ts';

export type CodecRunner = ValueRunner<Trial>;
export const codecRunner = (): Promise<CodecRunner> => valueRunner<Trial>('./codecs-in-runtime.ts');

const BATCH = 500;

const asText = (task: CodecTask): string => JSON.stringify(task);

const complaintsOf = (answer: Trial | Error, { seed, index }: CodecTask): string[] =>
  answer instanceof Error
    ? [`seed ${seed}, value ${index}: the runtime crashed: ${answer.message.slice(0, 300)}`]
    : answer.complaints;

export interface Amount {
  seed: number;
  values: number;
  /** Of each value. */
  mutations: number;
}

export async function compareCodecs(
  runner: CodecRunner,
  runtime: FoundRuntime,
  { seed, values, mutations }: Amount,
) {
  const found = {
    ...{ runtime: runtime.spec, values },
    /** Of the values: the others are refused, or would be cloned all the same. */
    codecs: 0,
    mutations: 0,
    /** Of the mutations: sent as they are. */
    whole: 0,
    /** Right only in a process of their own: a value before them has changed what belongs to all. */
    alone: 0,
    wrong: [] as string[],
  };
  for (let from = 0; from < values; from += BATCH) {
    const size = Math.min(BATCH, values - from);
    const tasks = Array.from({ length: size }, (_, at): CodecTask => ({ seed, index: from + at, mutations }));
    const answers = await runner.ask(runtime, tasks.map(asText));
    for (const [at, answer] of answers.entries()) {
      if (!(answer instanceof Error)) {
        if (answer.hasCodec) found.codecs++;
        found.mutations += answer.mutations;
        found.whole += answer.whole;
      }
      if (complaintsOf(answer, tasks[at]!).length === 0) continue;
      const [again] = await runner.ask(runtime, [asText(tasks[at]!)]);
      const complaints = complaintsOf(again!, tasks[at]!);
      if (complaints.length === 0) found.alone++;
      else found.wrong.push(complaints[0]!);
    }
  }
  return found;
}
