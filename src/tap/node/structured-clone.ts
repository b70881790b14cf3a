import { apply, defineProperty, getOwnPropertyDescriptor } from '../intrinsics.ts';
import type { Call, Channel, Recorder } from '../recorder.ts';
import { cleaned } from './clean-stack.ts';

/** Calls of the global structuredClone. */
export function patchStructuredClone(recorder: Recorder): void {
  const found = getOwnPropertyDescriptor(globalThis, 'structuredClone');
  if (typeof found?.value !== 'function') return;
  const original = found.value as Call;
  const channel: Channel = { api: 'structuredClone', to: null, queue: null, buckets: [] };
  const { structuredClone } = {
    structuredClone(this: unknown, ...args: unknown[]): unknown {
      try {
        if (recorder.isLooking) return apply(original, this, args);
        return recorder.post(channel, this, args, original, structuredClone);
      } catch (error) {
        throw cleaned(error, structuredClone);
      }
    },
  };
  defineProperty(globalThis, 'structuredClone', { ...found, value: structuredClone });
}
