import { startsWith } from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';
import { framesAbove } from '../records/frames.ts';

/** The frames above `caller`, those of Deno's own code named as those of Node. */
export function denoFrames(caller: unknown): StackFrame[] {
  const frames = framesAbove(caller);
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i]!;
    if (startsWith(frame.file, 'ext:')) frames[i] = { ...frame, file: `node:${frame.file}` };
  }
  return frames;
}
