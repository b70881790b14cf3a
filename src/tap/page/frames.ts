import { addressOf } from '../../core/recording/threads/address.ts';
import type { StackFrame } from '../realm/platform.ts';
import { framesAbove } from '../records/frames.ts';

/** The frames above `caller`, with addresses as a recording has them. */
export function pageFrames(caller: unknown): StackFrame[] {
  const frames = framesAbove(caller);
  for (let i = 0; i < frames.length; i++) frames[i]!.file = addressOf(frames[i]!.file);
  return frames;
}
