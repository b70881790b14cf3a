/** JavaScriptCore in Bun, as `bun:jsc` describes it. */
import { createRequire } from 'node:module';
import { STORED } from '../../core/describe/inspect/flags.ts';
import type { BunJsc } from '../../probe/bun/jsc.ts';
import { bunStorage } from '../../probe/bun/storage.ts';
import { inProcessStorage } from '../../probe/in-process-storage.ts';
import { serialized } from '../../probe/oracle/serialized.ts';
import type { LookEngine } from './look.ts';

/** null in old versions, which lack some of the functions. */
function jscHere(): BunJsc | null {
  const specifier = 'bun:jsc';
  const jsc = createRequire(__filename)(specifier) as Partial<BunJsc>;
  return jsc.estimateShallowMemoryUsageOf === undefined || jsc.isRope === undefined ? null : (jsc as BunJsc);
}

const jsc = jscHere();

export const bunEngine: LookEngine = {
  withStorage(run) {
    if (jsc === null) return run(inProcessStorage('jsc'));
    const storage = bunStorage(jsc, false);
    return run({
      ...storage,
      // All else that tells about a rope would flatten it before it is posted.
      string: (text, depth) => (jsc.isRope(text) ? STORED.rope : storage.string(text, depth)),
    });
  },
  wire: serialized,
};
