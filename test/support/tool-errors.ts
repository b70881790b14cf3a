import assert from 'node:assert/strict';
import { type ErrorCode, ToolError } from '../../src/model/errors.ts';

/** The ToolError of this code that the promise rejects with; fails when there is none. */
export async function rejection(code: ErrorCode, promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(
    () => assert.fail(`no ${code}`),
    (reason: unknown) => reason,
  );
  isToolError(code)(error);
  return error as ToolError;
}

/** For assert.rejects and assert.throws. */
export const isToolError =
  (code: ErrorCode, message: RegExp = /^/) =>
  (error: unknown): true => {
    assert.ok(error instanceof ToolError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
