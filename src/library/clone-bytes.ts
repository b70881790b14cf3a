import { postBytes } from '../core/classify/post-bytes.ts';
import { ENGINES } from '../engines/index.ts';
import type { PostBytes } from '../model/documents/post-bytes.ts';
import { runningProbe } from '../probe/probe.ts';
import type { Classified } from './classify.ts';

/**
 * Bytes of a post of the value, as `analyze` tells them on the running runtime; null for what it refuses. Estimated from the
 * shape where the value has getters, which writing it would run.
 */
export function cloneBytes(
  value: unknown,
  { shape, verdict, runtime, channel }: Classified,
): PostBytes | null {
  const runsForeignCode = shape.patterns.some(({ flags }) => flags.includes('accessor'));
  const message = runsForeignCode ? [] : runningProbe().messageBytes(value, shape, channel);
  return postBytes(shape, verdict.path, ENGINES[runtime.engine], { runtime, channel }, message);
}
