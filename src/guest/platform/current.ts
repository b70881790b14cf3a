import type { ProcessRuntime } from '../../model/names.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import { bun } from './bun.ts';
import type { Platform } from './common/platform.ts';
import { deno } from './deno.ts';
import { node } from './node.ts';

const PLATFORMS: Readonly<Record<ProcessRuntime, Platform>> = { node, bun, deno };

/** The platform of the runtime that this code runs in. */
export const currentPlatform = (): Platform => PLATFORMS[runningRuntime().name];
