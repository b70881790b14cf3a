/** Child processes: the tap in their environment, and what is sent between them and their parent. */
import type { Serialization } from '../../../model/names.ts';
import { type Post, watchPosts } from '../channels/ports.ts';
import { watch } from '../channels/watch.ts';
import * as recorder from '../messages/recorder.ts';
import { CLOSED } from '../messages/thrown.ts';
import * as kept from '../realm/intrinsics.ts';
import { canBeRead } from '../realm/platform.ts';
import { bucketsOf, type CountedChannel, channelTo } from '../records/bucket.ts';
import * as log from '../records/thread-log.ts';
import { childProcess } from './builtins.ts';
import { intoOptions, intoPairs } from './environment.ts';

/** The runtime's own, of cluster and of handles that are sent. */
function isInternal(message: unknown): boolean {
  const command = canBeRead(message) ? kept.dataOf(message, 'cmd') : undefined;
  return typeof command === 'string' && kept.startsWith(command, 'NODE_');
}

export const sends = (owner: object, to: (owner: object) => CountedChannel | null): Post => ({
  owner,
  key: 'send',
  to(receiver, patch, value) {
    const channel = isInternal(value) ? null : to(receiver);
    if (channel === null || !canBeRead(receiver) || kept.dataOf(receiver, 'connected') !== false)
      return channel;
    // Its error is not thrown: a callback or an event gets it.
    recorder.refused({ channel, value, listed: [], patch }, { code: CLOSED });
    return null;
  },
  // The argument after the message may be a handle.
  transferOf: () => undefined,
});

export function sendsToParent(): Post {
  // The parent knows the format.
  const parent = { ...channelTo('parent', 'process.send'), serialization: null };
  return sends(process, () => parent);
}

/** Children of one command share their classes of messages. */
export function channelToChild(pid: number, serialization: Serialization | null, command: unknown) {
  const buckets = bucketsOf(kept.recordText([serialization, command]));
  return { ...channelTo(`process ${pid}`, 'ChildProcess.send', null, buckets), serialization };
}

interface Child {
  pid?: number;
  spawnfile?: unknown;
  spawnargs?: unknown;
}

/** @param started is called for a child that there is a channel to */
export function watchChildren(started?: (child: object, pid: number) => void): void {
  // Every way to start a child that runs parallel to its parent ends here.
  watch(childProcess.ChildProcess.prototype, 'spawn', {
    before(child, args) {
      const options = canBeRead(args[0]) ? args[0] : {};
      const can = intoPairs(kept.dataOf(options, 'envPairs'), kept.dataOf(options, 'args'));
      const asked = kept.dataOf(options, 'serialization') ?? 'json';
      const format: Serialization | null = asked === 'json' || asked === 'advanced' ? asked : null;
      return { child: child as Child, can, format };
    },
    after({ child, can, format }) {
      const { pid, spawnfile: file } = child;
      const serialization = typeof kept.dataOf(child, 'send') === 'function' ? format : null;
      if (can && pid !== undefined && typeof file === 'string') {
        const program = kept.slice(file, kept.lastIndexOf(file, '/') + 1);
        const written = serialization && { serialization };
        log.add({ record: 'child', pid, thread: 0, program, ...written });
      }
      const channel = channelToChild(pid ?? 0, serialization, child.spawnargs);
      watchPosts([sends(child, () => channel)]);
      if (serialization !== null && pid !== undefined) started?.(child, pid);
    },
  });
  for (const name of ['spawnSync', 'execSync', 'execFileSync'])
    watch(childProcess, name, {
      before(_, args) {
        const last = args.length > 1 && !kept.isArray(args[args.length - 1]) ? args.length - 1 : args.length;
        const given = args[last];
        const options = intoOptions(given, args);
        if (options !== given) args[last] = options;
        return undefined;
      },
    });
}
