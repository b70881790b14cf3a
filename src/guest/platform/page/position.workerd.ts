import type { StackLocation } from '../common/platform.ts';

/** A worker cannot wait for an answer: the host looks up the place in the bundle (runtimes/workerd/located.ts). */
export function positionOf(module: string, at: string): StackLocation {
  const [line = 1, column = 1] = at.split(':').map(Number);
  return { file: module, line, column };
}
