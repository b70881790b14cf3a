import { runningRuntime } from '../../probe/running-runtime.ts';
import { bun } from './bun.ts';
import { deno } from './deno.ts';
import { node } from './node.ts';
import type { Platform } from './platform.ts';

const PLATFORMS = { node, bun, deno } as const satisfies Record<
  ReturnType<typeof runningRuntime>['name'],
  Platform
>;

/** The platform of the runtime that this code runs in. */
export const currentPlatform = (): Platform => PLATFORMS[runningRuntime().name];
