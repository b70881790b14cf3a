/** Child processes: the tap in their environment, and what is sent to them. */
import { types } from 'node:util';
import type { Bucket } from '../bucket.ts';
import { apply, create, dataOf, defineProperty, getOwnPropertyDescriptor, isArray } from '../intrinsics.ts';
import { recordText } from '../record-text.ts';
import type { Call, Recorder } from '../recorder.ts';
import { childProcess } from './builtins.ts';
import { cleaned } from './clean-stack.ts';
import type { TapOptions } from './environment.ts';
import { patchSend } from './ipc.ts';

export function patchChildren(recorder: Recorder, tapOptions: TapOptions): void {
  patchSpawn(recorder, tapOptions);
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) patchWaiting(name, tapOptions);
}

/** Every way to start a child that runs beside its parent ends here. */
function patchSpawn(recorder: Recorder, tapOptions: TapOptions): void {
  /** Children of one command share their classes of messages. */
  const classes = create(null) as Record<string, Bucket[]>;
  const { prototype } = childProcess.ChildProcess as unknown as { prototype: object };
  replace(prototype, 'spawn', (original, patch) => (receiver, args) => {
    try {
      const options = args[0];
      if (typeof options === 'object' && options !== null && !types.isProxy(options))
        tapOptions.intoPairs(dataOf(options, 'envPairs'));
      const result = apply(original, receiver, args);
      const child = receiver as { pid?: number; spawnargs?: unknown };
      const command = recordText(child.spawnargs);
      classes[command] ??= [];
      patchSend(recorder, child, {
        ...{ api: 'ChildProcess.send', to: `process ${child.pid ?? 0}` },
        ...{ queue: null, buckets: classes[command] },
      });
      return result;
    } catch (error) {
      throw cleaned(error, patch());
    }
  });
}

/** They have the environment of their parent, unless they are given one. */
function patchWaiting(name: 'spawnSync' | 'execSync' | 'execFileSync', tapOptions: TapOptions): void {
  replace(childProcess, name, (original, patch) => (receiver, args) => {
    try {
      const given: unknown[] = [];
      for (let i = 0; i < args.length; i++)
        given[i] = i > 0 && !isArray(args[i]) ? tapOptions.intoOptions(args[i]) : args[i];
      return apply(original, receiver, given);
    } catch (error) {
      throw cleaned(error, patch());
    }
  });
}

type Body = (receiver: unknown, args: readonly unknown[]) => unknown;

/** Replaces a method by one of the same name and length. */
function replace(owner: object, key: string, make: (original: Call, patch: () => Call) => Body): void {
  const found = getOwnPropertyDescriptor(owner, key);
  if (typeof found?.value !== 'function') return;
  const original = found.value as Call;
  const body = make(original, () => patch);
  function patch(this: unknown, ...args: unknown[]): unknown {
    return body(this, args);
  }
  for (const property of ['name', 'length'] as const)
    defineProperty(patch, property, getOwnPropertyDescriptor(original, property)!);
  defineProperty(owner, key, { ...found, value: patch });
}
