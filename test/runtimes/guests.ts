import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolError } from '../../src/model/errors.ts';
import type { FoundRuntime } from '../../src/model/runtime.ts';
import { runtime } from '../support/runtimes.ts';

/** The newest and the oldest of what is supported, one of each engine at least. */
export const SPECS = ['node', 'bun@1.4.5', 'bun@1.2.20', 'deno@2.9.6'];

/** The same test once on every runtime. */
export function onEach(name: string, body: (rt: FoundRuntime) => Promise<void>): void {
  for (const spec of SPECS) test(`${spec}: ${name}`, async () => body(await runtime(spec)));
}

/** Fails unless the promise rejects with this code; gives the error for a closer look. */
export async function failure(code: string, promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(
    () => assert.fail(`no ${code}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ToolError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}
