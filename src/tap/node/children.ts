/** Child processes: the tap in their environment, and what is sent to them. */

import { replace } from '../channels/replace.ts';
import { isReadable } from '../channels/workers.ts';
import { channelTo } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { apply, create, dataOf, isArray, lastIndexOf, slice } from '../realm/intrinsics.ts';
import type { Bucket } from '../records/bucket.ts';
import { recordText } from '../records/record-text.ts';
import { childProcess } from './builtins.ts';
import { type TapOptions, UNREACHABLE } from './environment.ts';
import { patchSend } from './ipc.ts';

export function patchChildren(recorder: Recorder, tapOptions: TapOptions): void {
  patchSpawn(recorder, tapOptions);
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const)
    patchWaiting(name, recorder, tapOptions);
}

/** Every way to start a child that runs beside its parent ends here. */
function patchSpawn(recorder: Recorder, tapOptions: TapOptions): void {
  /** Children of one command share their classes of messages. */
  const classes = create(null) as Record<string, Bucket[]>;
  const { prototype } = childProcess.ChildProcess;
  replace(prototype, 'spawn', (original, receiver, args) => {
    const options = args[0];
    const words = isReadable(options) ? [dataOf(options, 'args')] : [];
    const can = !isReadable(options) || tapOptions.intoPairs(dataOf(options, 'envPairs'), words);
    const result = apply(original, receiver, args);
    const child = receiver as { pid?: number; spawnfile?: unknown; spawnargs?: unknown };
    const { pid, spawnfile: file } = child;
    if (!can) recorder.log.gap(UNREACHABLE);
    else if (pid !== undefined && typeof file === 'string') {
      const program = slice(file, lastIndexOf(file, '/') + 1);
      recorder.log.add({ record: 'child', pid, thread: 0, program });
    }
    const command = recordText(child.spawnargs);
    classes[command] ??= [];
    const channel = channelTo(`process ${pid ?? 0}`, 'ChildProcess.send', null, classes[command]);
    patchSend(recorder, child, channel);
    return result;
  });
}

/** They have the environment of their parent, unless they are given one. */
function patchWaiting(
  name: 'spawnSync' | 'execSync' | 'execFileSync',
  recorder: Recorder,
  tapOptions: TapOptions,
): void {
  replace(childProcess, name, (original, receiver, args) => {
    const last = args.length > 1 && !isArray(args[args.length - 1]) ? args.length - 1 : args.length;
    const without = tapOptions.withoutTap(args[last], args);
    if (without !== null) {
      args[last] = without;
      recorder.log.gap(UNREACHABLE);
      return apply(original, receiver, args);
    }
    for (let i = 1; i < args.length; i++) if (!isArray(args[i])) args[i] = tapOptions.intoOptions(args[i]);
    return apply(original, receiver, args);
  });
}
