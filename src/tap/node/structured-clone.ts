import type { Channel } from '../channels/channel.ts';
import { apply } from '../realm/intrinsics.ts';
import type { Recorder } from '../recorder.ts';
import { replace } from './replace.ts';

/** Calls of the global structuredClone. */
export function patchStructuredClone(recorder: Recorder): void {
  const channel: Channel = { api: 'structuredClone', to: null, queue: null, buckets: [] };
  replace(globalThis, 'structuredClone', (original, receiver, args, patch) =>
    recorder.isLooking
      ? apply(original, receiver, args)
      : recorder.post(channel, receiver, args, original, patch),
  );
}
