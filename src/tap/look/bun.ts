/** JavaScriptCore in Bun, as `bun:jsc` describes it. */
import { createRequire } from 'node:module';
import { classify } from '../../core/classify/classify.ts';
import { postBytes } from '../../core/classify/post-bytes.ts';
import { STORED } from '../../core/describe/inspect/flags.ts';
import { jsc as JSC } from '../../engines/jsc/index.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { RuleBook } from '../../model/rules/rule.ts';
import type { BunJsc } from '../../probe/bun/jsc.ts';
import { directBytes } from '../../probe/bun/message-cost.ts';
import { bunStorage } from '../../probe/bun/storage.ts';
import { inProcessStorage } from '../../probe/in-process-storage.ts';
import { serialized } from '../../probe/oracle/serialized.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import type { LookEngine } from './sized.ts';

const specifier = 'bun:jsc';
const found = createRequire(__filename)(specifier) as Partial<BunJsc>;
/** null in old versions, which lack some of the functions. */
const jsc = found.estimateShallowMemoryUsageOf && found.isRope ? (found as BunJsc) : null;

/** What is refused has no bytes. */
const NO_RULES: RuleBook = { name: 'spec', rules: [] };

/** As `analyze` tells them: what a fast path hands over is not written. */
function directlyCopied(message: readonly [value?: unknown], shape: Shape): number | null {
  const where = { runtime: runningRuntime(), channel: 'worker' } as const;
  const { path } = classify(shape, JSC, NO_RULES, where).verdict;
  if (path === 'serializer' || path === 'rejected') return null;
  const bytes = message.length === 0 ? [] : directBytes(message[0]);
  return postBytes(shape, path, JSC, where, bytes)?.copied ?? null;
}

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
  processWire: serialized,
  direct: directlyCopied,
  isOtherFormat: true,
};
