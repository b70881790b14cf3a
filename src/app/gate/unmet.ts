import { checkFacts } from '../../core/gate/limits.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import type { MeasureTools } from '../tools.ts';
import { type GateRequest, gather } from './gather.ts';
import { GuestPool } from './guest-pool.ts';

/** Limits that the payloads break as they are, whatever the baseline holds. A payload that fails has none. */
export async function unmetLimits(request: GateRequest, tools: MeasureTools): Promise<LimitResult[]> {
  const slots = new GuestPool(request, tools);
  try {
    const { gathered } = await gather(request, slots, tools);
    return gathered.flatMap(({ entry, run }) => {
      const limits = Object.fromEntries(Object.entries(entry.limits).filter(([, { against }]) => !against));
      const results = checkFacts({ ...entry, limits }, run, null);
      return results.filter(({ outcome, level }) => outcome === 'failed' && level === 'error');
    });
  } finally {
    await slots.close();
  }
}
