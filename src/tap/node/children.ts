/** Child processes: the tap in their environment, and what is sent to them. */
import { types } from 'node:util';
import type { Bucket } from '../messages/bucket.ts';
import { apply, create, dataOf, isArray, lastIndexOf, slice } from '../realm/intrinsics.ts';
import type { Recorder } from '../recorder.ts';
import { recordText } from '../records/record-text.ts';
import { childProcess } from './builtins.ts';
import type { TapOptions } from './environment.ts';
import { patchSend } from './ipc.ts';
import { replace } from './replace.ts';

export function patchChildren(recorder: Recorder, tapOptions: TapOptions): void {
  patchSpawn(recorder, tapOptions);
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) patchWaiting(name, tapOptions);
}

/** Every way to start a child that runs beside its parent ends here. */
function patchSpawn(recorder: Recorder, tapOptions: TapOptions): void {
  /** Children of one command share their classes of messages. */
  const classes = create(null) as Record<string, Bucket[]>;
  const { prototype } = childProcess.ChildProcess as unknown as { prototype: object };
  replace(prototype, 'spawn', (original, receiver, args) => {
    const options = args[0];
    if (typeof options === 'object' && options !== null && !types.isProxy(options))
      tapOptions.intoPairs(dataOf(options, 'envPairs'));
    const result = apply(original, receiver, args);
    const child = receiver as { pid?: number; spawnfile?: unknown; spawnargs?: unknown };
    noteChild(recorder, child.pid, child.spawnfile);
    const command = recordText(child.spawnargs);
    classes[command] ??= [];
    patchSend(recorder, child, {
      ...{ api: 'ChildProcess.send', to: `process ${child.pid ?? 0}` },
      ...{ queue: null, buckets: classes[command] },
    });
    return result;
  });
}

function noteChild(recorder: Recorder, pid: number | undefined, file: unknown): void {
  if (pid === undefined || typeof file !== 'string') return;
  recorder.log.add({ record: 'child', pid, thread: 0, program: slice(file, lastIndexOf(file, '/') + 1) });
}

/** They have the environment of their parent, unless they are given one. */
function patchWaiting(name: 'spawnSync' | 'execSync' | 'execFileSync', tapOptions: TapOptions): void {
  replace(childProcess, name, (original, receiver, args) => {
    for (let i = 1; i < args.length; i++) if (!isArray(args[i])) args[i] = tapOptions.intoOptions(args[i]);
    return apply(original, receiver, args);
  });
}
