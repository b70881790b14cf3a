/**
 * Runs in the runtime under test: describes `fires` and `nearMiss` of the modules named on the command line.
 * usage: specimens <file for the answer> <module URL...>
 */
import { writeFileSync } from 'node:fs';
import { describe } from '../../../src/core/describe/describe.ts';
import { probeFor } from '../../../src/guest/probe/probe.ts';
import type { Shape } from '../../../src/model/shape.ts';

interface Specimen {
  fires: () => unknown;
  nearMiss: () => unknown;
  channel?: string;
  transfer?: (value: unknown) => unknown[];
}

export interface Described {
  shape: Shape;
  transferring: boolean;
  /** Whether structuredClone took it. */
  cloned: boolean;
}

export type Answer = Record<string, { fires: Described; nearMiss: Described }>;

function cloned(value: unknown, transfer: unknown[]): boolean {
  try {
    structuredClone(value, { transfer: transfer as ArrayBuffer[] });
    return true;
  } catch {
    return false;
  }
}

async function told(make: () => unknown, specimen: Specimen): Promise<Described> {
  const probe = await probeFor();
  const value = await make();
  const transfer = specimen.transfer?.(value) ?? [];
  const shape = describe(value, probe);
  return { shape, transferring: transfer.length > 0, cloned: cloned(value, transfer) };
}

const [answerFile = '', ...urls] = process.argv.slice(2);
const answer: Answer = {};
for (const url of urls) {
  const specimen = (await import(url)) as Specimen;
  answer[url] = {
    fires: await told(specimen.fires, specimen),
    nearMiss: await told(specimen.nearMiss, specimen),
  };
}
writeFileSync(answerFile, JSON.stringify(answer));
