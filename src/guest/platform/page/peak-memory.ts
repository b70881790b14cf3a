import { ToolError } from '../../../model/errors.ts';
import { now } from '../common/clock.ts';
import type { PeakMemory } from '../common/platform.ts';
import { servedUrl } from './served.ts';

/** Taken before user code loads. */
const ask = fetch;

/** Long enough to be seen in the counters of the system, which have steps of 10 ms. */
const BUSY_NS = 150e6;
/** Other processes of the browser may work just then; on a busy machine the page gets little of the time: longer each time. */
const MAX_TRIES = 16;
const LONGER = 1.3;
const MAX_TIMES = 8;

let found: Promise<void> | null = null;

/** A page cannot see the memory of its process: the host looks. @throws ToolError 'measure-failed' with the host's reason */
async function asked(question: string): Promise<number> {
  const response = await ask(servedUrl(`memory/${question}`), { method: 'POST' });
  const { bytes, reason } = (await response.json()) as { bytes?: number; reason?: string };
  if (bytes === undefined) throw new ToolError('measure-failed', { detail: reason ?? 'no answer' });
  return bytes;
}

/** The host recognises the process by what it works between two questions. */
async function findProcess(): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await asked('idle');
    for (const end = now() + BUSY_NS * Math.min(MAX_TIMES, LONGER ** tries); now() < end; );
    if ((await asked('busy')) > 0) return;
  }
}

export async function markPeakMemory(): Promise<PeakMemory> {
  found ??= findProcess();
  await found;
  await asked('reset');
  return { sample: () => undefined, bytes: () => asked('peak') };
}
