/** What must hold of all output: nothing raw reaches a terminal or a CI runner, and no secret is written. */
import assert from 'node:assert/strict';

/** Controls, separators, bidi controls, lone surrogates and invisible characters. */
const RAW = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}\p{Cs}\u200b\u{e0001}-\u{e007f}]/u;
/** Commands of CI runners. */
const WORKFLOW_COMMAND = /^\s*::[a-z]|##\[|##vso\[/im;

/** @param forRunner the output may hold commands of a CI runner */
export function assertHarmless(name: string, text: string, forRunner = false): void {
  assert.doesNotMatch(text, RAW, `raw characters on ${name}`);
  if (!forRunner) assert.doesNotMatch(text, WORKFLOW_COMMAND, `a workflow command on ${name}`);
}

let secrets = 0;

/** A value of the environment that must never be written or sent: each case has one in SECRET_ENV. */
export const newSecret = (): string => `marked-secret-${process.pid}-${secrets++}`;

export function assertKept(secret: string, texts: readonly [name: string, content: string | null][]): void {
  for (const [name, content] of texts) assert.ok(!content?.includes(secret), `the secret is in ${name}`);
}
