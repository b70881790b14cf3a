/**
 * Runs in the runtime under test: makes a codec of each value, and sends the value and changed ones through it.
 * usage: codecs-in-runtime <file for the answers> <file with the tasks>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Trial, trial } from '../codec/compiled/trial.ts';

/** As JSON. */
export interface CodecTask {
  seed: number;
  index: number;
  mutations: number;
}

function answered({ seed, index, mutations }: CodecTask): Trial {
  try {
    return trial(seed, index, mutations);
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    const complaint = `seed ${seed}, value ${index}: no codec: ${message}\n${stack.slice(0, 600)}`;
    return { hasCodec: false, mutations: 0, whole: 0, complaints: [complaint] };
  }
}

const [answerFile = '', taskFile = ''] = process.argv.slice(2);
const tasks = JSON.parse(readFileSync(taskFile, 'utf8')) as string[];
writeFileSync(answerFile, JSON.stringify(tasks.map((task) => answered(JSON.parse(task) as CodecTask))));
