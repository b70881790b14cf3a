import { replace } from '../channels/replace.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { apply } from '../realm/intrinsics.ts';

/** Calls of the global structuredClone. */
export function patchStructuredClone(recorder: Recorder): void {
  const channel: CountedChannel = { api: 'structuredClone', to: null, queue: null, buckets: [] };
  replace(globalThis, 'structuredClone', (original, receiver, args, patch) =>
    recorder.isLooking
      ? apply(original, receiver, args)
      : recorder.post(channel, receiver, args, original, patch),
  );
}
