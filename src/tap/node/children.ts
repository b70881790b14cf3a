/** Child processes: the tap in their environment, and what is sent to them. */

import type { Serialization } from '../../model/names.ts';
import { replace } from '../channels/replace.ts';
import { isReadable } from '../channels/workers.ts';
import { channelToProcess } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { apply, create, dataOf, isArray, lastIndexOf, slice } from '../realm/intrinsics.ts';
import type { Bucket } from '../records/bucket.ts';
import { recordText } from '../records/record-text.ts';
import { childProcess } from './builtins.ts';
import { type TapOptions, UNREACHABLE } from './environment.ts';
import { patchSend, serializationOf } from './ipc.ts';

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
    const serialization = typeof dataOf(child, 'send') === 'function' ? chosen(child, options) : null;
    if (!can) recorder.log.gap(UNREACHABLE);
    else if (pid !== undefined && typeof file === 'string') {
      const program = slice(file, lastIndexOf(file, '/') + 1);
      const written = serialization && { serialization };
      recorder.log.add({ record: 'child', pid, thread: 0, program, ...written });
    }
    const command = recordText([serialization, child.spawnargs]);
    classes[command] ??= [];
    const to = `process ${pid ?? 0}`;
    patchSend(recorder, child, channelToProcess(to, 'ChildProcess.send', serialization, classes[command]));
    return result;
  });
}

/** How messages to a child are written: as its channel is, or as the options say. */
function chosen(child: object, options: unknown): Serialization | null {
  const own = serializationOf(child);
  if (own !== null) return own;
  const asked = isReadable(options) ? dataOf(options, 'serialization') : undefined;
  return asked === undefined ? 'json' : asked === 'json' || asked === 'advanced' ? asked : null;
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
