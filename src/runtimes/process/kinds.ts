import type { ProcessRuntime } from '../../model/names.ts';
import { bun } from './bun.ts';
import { deno } from './deno.ts';
import type { RuntimeKind } from './kind.ts';
import { node } from './node.ts';

export const KINDS: Readonly<Record<ProcessRuntime, RuntimeKind>> = { node, bun, deno };

export const isProcessRuntime = (name: string): name is ProcessRuntime => Object.hasOwn(KINDS, name);
