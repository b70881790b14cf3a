/** Runs in the runtime under test: all cases of all remedies. Prints those that come out otherwise, as JSON. */
import { REMEDIES, type RemedyName } from '../../../src/codec/remedies/index.ts';
import { CASES } from '../cases/index.ts';
import { type Outcome, outcomeOf } from '../outcomes.ts';

async function outcomeHere(
  name: RemedyName,
  [, make, plan]: (typeof CASES)[RemedyName][number],
): Promise<Outcome | string> {
  try {
    return await outcomeOf(REMEDIES[name], plan, make);
  } catch (error) {
    return String(error);
  }
}

function readsBlobs(): boolean {
  try {
    structuredClone([new Blob(['x'])]);
    return true;
  } catch {
    return false;
  }
}

const blobs = readsBlobs();
const otherwise: string[] = [];
let cases = 0;
for (const name of Object.keys(CASES) as RemedyName[])
  for (const one of CASES[name]) {
    cases++;
    if (name === 'blob' && !blobs) continue;
    const [expected, got] = [one[3] ?? [], await outcomeHere(name, one)].map((outcome) =>
      JSON.stringify(outcome),
    );
    if (expected !== got) otherwise.push(`${name}: ${one[0]}: ${got} instead of ${expected}`);
  }
console.log(JSON.stringify({ cases, blobs, otherwise }));
