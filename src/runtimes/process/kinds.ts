import type { ProcessRuntime } from '../../probe/running-runtime.ts';
import { bun } from './bun.ts';
import { deno } from './deno.ts';
import type { RuntimeKind } from './kind.ts';
import { node } from './node.ts';

export const KINDS = { node, bun, deno } as const satisfies Record<ProcessRuntime, RuntimeKind>;

export const PROCESS_RUNTIMES = Object.keys(KINDS) as ProcessRuntime[];

export const isProcessRuntime = (name: string): name is ProcessRuntime => Object.hasOwn(KINDS, name);
