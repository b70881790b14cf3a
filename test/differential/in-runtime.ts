/**
 * Runs in the runtime under test. Each value is built twice from newly evaluated code, once to be described and once for
 * the engine's oracle, so that neither sees strings changed by the other or a trained allocation site.
 * usage: guest <file for the answers> <file with the sources>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Shape } from '../../src/model/documents/shape.ts';
import type { Confirmation } from '../../src/model/wire/wire.ts';
import { describe } from '../../src/value/describe/describe.ts';
import { probeFor, runningProbe } from '../support/probe.ts';
import { built } from './built-value.ts';

export interface Answer {
  shape: Shape;
  confirmation: Confirmation;
}

/** Built-in functions also have allocation profiles for arrays, and the probes use them between the two builds. */
function trainBuiltIns(): void {
  for (const values of [[1], [1.5], [{}]]) {
    const same = values.map((x) => x).filter(() => true);
    Array.from(
      same.flatMap((x) => [x]),
      (x) => x,
    );
    Array.from(new Set(Array.of(...same)));
  }
}

trainBuiltIns();
const [answerFile = '', sourceFile = ''] = process.argv.slice(2);
const sources = JSON.parse(readFileSync(sourceFile, 'utf8')) as string[];
const answers: Answer[] = [];
for (const source of sources) {
  // V8 keeps the transitions between hidden classes: the first object of a kind may be stored better than later ones.
  built(source);
  const shape = describe(built(source), await probeFor());
  const confirmation = await runningProbe().confirm(async () => built(source), shape, 'message-port');
  answers.push({ shape, confirmation });
}
writeFileSync(answerFile, JSON.stringify(answers));
