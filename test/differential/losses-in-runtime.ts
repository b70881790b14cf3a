/**
 * Runs in the runtime under test: describes each value, and posts a fresh one to see what is really lost.
 * usage: losses-in-runtime <file for the answers> <file with the sources> [channel]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe } from '../../src/core/describe/describe.ts';
import { realLosses } from '../../src/guest/describe/facts.ts';
import type { Shape } from '../../src/model/documents/shape.ts';
import type { Channel } from '../../src/model/names.ts';
import type { RealLoss } from '../../src/model/rules/loss.ts';
import { probeFor } from '../../src/probe/probe.ts';
import { built } from './built-value.ts';

export interface LossAnswer {
  shape: Shape;
  /** null when the engine refuses the value. */
  losses: RealLoss[] | null;
}

/** What stands after this script: flags may stand before it. */
const after = process.argv.findIndex((arg) => arg.endsWith('.mjs')) + 1;

/** In a function: Electron is not ready before its main module is. */
async function answer(): Promise<never> {
  const [answerFile = '', sourceFile = '', channel = 'message-port'] = process.argv.slice(after);
  const answers: LossAnswer[] = [];
  for (const source of JSON.parse(readFileSync(sourceFile, 'utf8')) as string[]) {
    const shape = describe(built(source), await probeFor());
    const { losses } = await realLosses(built(source), channel as Channel);
    answers.push({ shape, losses });
  }
  writeFileSync(answerFile, JSON.stringify(answers));
  // A receiver may still run.
  process.exit();
}
void answer();
