/**
 * Runs in the runtime under test. Each value is built twice from code evaluated anew, once to be described and once for
 * the engine's oracle, so that neither sees what the other did to strings, nor an allocation site that has learnt.
 * usage: guest <file for the answers> <file with the sources>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { describe } from '../../src/core/describe/describe.ts';
import type { Shape } from '../../src/model/shape.ts';
import type { Confirmation } from '../../src/model/wire.ts';
import { confirm, probeFor } from '../../src/probe/probe.ts';

export interface Answer {
  shape: Shape;
  confirmation: Confirmation;
}

const context = createContext({});
let evaluations = 0;

function built(source: string): unknown {
  const kept: unknown[] = [];
  const keep = (value: unknown) => {
    kept.push(value);
    return value;
  };
  const again = (which: number) => (kept.length === 0 ? 1 : kept[which % kept.length]);
  const otherRealm = (code: string): unknown => runInContext(code, context);
  const mark = String(evaluations).padStart(6, '0');
  const own = (unit: string, count: number) => [mark, unit.repeat(count - mark.length)].join('');
  // A text never seen before is compiled anew, with allocation profiles of its own.
  const fresh = `${source} // ${evaluations++}`;
  try {
    return new Function('keep', 'again', 'otherRealm', 'own', fresh)(keep, again, otherRealm, own);
  } catch {
    // What cannot be built (sorting objects without a text) stands for null.
    return null;
  }
}

/** Built-in functions learn, too, which kind of array to make, and the probes use them between the two builds. */
function teachBuiltIns(): void {
  for (const taught of [[1], [1.5], [{}]]) {
    const same = taught.map((x) => x).filter(() => true);
    Array.from(
      same.flatMap((x) => [x]),
      (x) => x,
    );
    Array.from(new Set(Array.of(...same)));
  }
}

teachBuiltIns();
const [answerFile = '', sourceFile = ''] = process.argv.slice(2);
const sources = JSON.parse(readFileSync(sourceFile, 'utf8')) as string[];
const answers: Answer[] = [];
for (const source of sources) {
  // V8 keeps the transitions between hidden classes: the first object of a kind may fare better than all later ones.
  built(source);
  const shape = describe(built(source), await probeFor());
  const { confirmation } = await confirm(async () => built(source), shape, 'message-port');
  answers.push({ shape, confirmation });
}
writeFileSync(answerFile, JSON.stringify(answers));
