/** Child processes. All ways to start one end in Bun.spawn and Bun.spawnSync, which have the tap put into their environment. */

import type { Posting } from '../channels/posting.ts';
import { replace } from '../channels/replace.ts';
import { isReadable } from '../channels/workers.ts';
import { type CountedChannel, channelTo } from '../messages/channel.ts';
import type { TapOptions } from '../node/environment.ts';
import { isInternal } from '../node/ipc.ts';
import { apply, dataOf, getPrototypeOf, isArray, Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import type { Bucket } from '../records/bucket.ts';

declare const Bun: object;

export function patchChildren(posting: Posting, tapOptions: TapOptions): void {
  const channels = new Weak<object, CountedChannel>();
  const buckets: Bucket[] = [];
  const channelOf = (child: object): CountedChannel => {
    const known = weakGet(channels, child);
    if (known !== undefined) return known;
    const { pid } = child as { pid: number };
    const fresh = channelTo(`process ${pid}`, 'ChildProcess.send', null, buckets);
    weakSet(channels, child, fresh);
    return fresh;
  };
  let isWatched = false;
  const watch = (child: unknown) => {
    if (isWatched || !isReadable(child)) return;
    isWatched = true;
    posting.watch(getPrototypeOf(child) as object, 'send', (receiver, _patch, message) =>
      isInternal(message) ? null : channelOf(receiver),
    );
  };
  replace(Bun, 'spawn', (original, receiver, args) => {
    const child = apply(original, receiver, withTap(args, tapOptions));
    watch(child);
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
