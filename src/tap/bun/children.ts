/** Child processes. All ways to start one end in Bun.spawn and Bun.spawnSync, which have the tap put into their environment. */

import type { Serialization } from '../../model/names.ts';
import type { Posting } from '../channels/posting.ts';
import { replace } from '../channels/replace.ts';
import { isReadable } from '../channels/workers.ts';
import { type CountedChannel, channelToProcess } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import type { TapOptions } from '../node/environment.ts';
import { isInternal } from '../node/ipc.ts';
import { apply, dataOf, getPrototypeOf, isArray, Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import type { Bucket } from '../records/bucket.ts';

declare const Bun: object;

export function patchChildren(recorder: Recorder, posting: Posting, tapOptions: TapOptions): void {
  const channels = new Weak<object, CountedChannel>();
  const buckets: Record<Serialization, Bucket[]> = { json: [], advanced: [] };
  /** One with a channel. */
  const know = (child: object, serialization: Serialization): void => {
    const { pid } = child as { pid: number };
    const to = `process ${pid}`;
    recorder.log.add({ record: 'child', pid, thread: 0, program: 'bun', serialization });
    weakSet(
      channels,
      child,
      channelToProcess(to, 'ChildProcess.send', serialization, buckets[serialization]),
    );
  };
  let isWatched = false;
  const watch = (child: object) => {
    if (isWatched) return;
    isWatched = true;
    posting.watch(getPrototypeOf(child) as object, 'send', (receiver, _patch, message) =>
      isInternal(message) ? null : (weakGet(channels, receiver) ?? null),
    );
  };
  replace(Bun, 'spawn', (original, receiver, args) => {
    const options = args[isArray(args[0]) ? 1 : 0];
    const child = apply(original, receiver, withTap(args, tapOptions));
    if (!isReadable(child)) return child;
    watch(child);
    if (isReadable(options) && typeof dataOf(options, 'ipc') === 'function')
      know(child, dataOf(options, 'serialization') === 'json' ? 'json' : 'advanced');
    return child;
  });
  replace(Bun, 'spawnSync', (original, receiver, args) =>
    apply(original, receiver, withTap(args, tapOptions)),
  );
}

/** (options) or (command, options); without an environment of their own they get that of this process. */
function withTap(args: unknown[], tapOptions: TapOptions): unknown[] {
  const at = isArray(args[0]) ? 1 : 0;
  if (isReadable(args[at]) && dataOf(args[at], 'env') !== undefined)
    args[at] = tapOptions.intoOptions(args[at]);
  return args;
}
