import assert from 'node:assert/strict';
import { pastedCode } from '../../src/codec/code/call.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import type { Remedy } from '../../src/model/rules/remedy.ts';
import { RemedyRefused } from '../../src/model/rules/remedy.ts';
import { compare } from '../../src/value/compare/compare.ts';

type Make = () => unknown;

/** What the rewrite loses beyond a plain clone of the same value; 'refused' when it throws RemedyRefused. */
export type Outcome = string[] | 'refused';

/** Its messages are JSON text. */
const isText = ({ name }: Remedy, { form }: Plan) => name === 'base64' || form === 'base64';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What a rewrite is to restore: over JSON the payload itself. */
const expectedIn = (remedy: Remedy, plan: Plan, make: Make): unknown =>
  isText(remedy, plan) ? make() : structuredClone(make());

const words = (original: unknown, restored: unknown) =>
  compare(original, restored).map(({ path, what }) => `${path} ${what}`);

/** The message as the receiver gets it. The sender's value must not change. */
function sent(remedy: Remedy, plan: Plan, make: Make): { received: unknown } | 'refused' {
  const value = make();
  let message: unknown;
  try {
    message = remedy.apply(value, plan);
  } catch (error) {
    assert.ok(error instanceof RemedyRefused, `${remedy.name} threw ${String(error)}`);
    return 'refused';
  } finally {
    // Two errors that are made alike have stacks of their own.
    const changes = words(make(), value).filter((change) => !change.endsWith('stack string changed'));
    assert.deepEqual(changes, [], `${remedy.name} changed its input`);
  }
  if (isText(remedy, plan)) return { received: asJson(message) };
  const transfer = remedy.transfer?.(message, plan) ?? [];
  return { received: structuredClone(message, { transfer }) };
}

/** A value of its own kind may have a property `then`. */
const settled = async ({ isAwaited }: Remedy, value: unknown): Promise<{ value: unknown }> => ({
  value: isAwaited ? await value : value,
});

export async function outcomeOf(remedy: Remedy, plan: Plan, make: Make): Promise<Outcome> {
  const message = sent(remedy, plan, make);
  if (message === 'refused') return message;
  const restored = await settled(remedy, remedy.restore(message.received, plan));
  return words(expectedIn(remedy, plan, make), restored.value);
}

/**
 * Runs the generated code as a user would paste it: `payload` and `worker` in the sender, `message` in the receiver. What
 * does not fit is sent as it is; 'refused' when there is no code, or when the payload cannot be cloned at all.
 */
export async function pastedOutcomeOf(remedy: Remedy, plan: Plan, make: Make): Promise<Outcome> {
  let receiver: string;
  let received: unknown;
  const worker = {
    postMessage(message: unknown, transfer: ArrayBuffer[] = []) {
      received = isText(remedy, plan) ? asJson(message) : structuredClone(message, { transfer });
    },
  };
  try {
    const code = pastedCode(remedy.codec(plan));
    receiver = code.receiver;
    assert.match(code.sender + receiver, /^[\n\x20-\x7e]*$/, 'keys are escaped');
    new Function('payload', 'worker', `'use strict';${code.sender}`)(make(), worker);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return 'refused';
  }
  const isAsync = remedy.isAwaited ? 'async ' : '';
  const restore = new Function(
    `'use strict'; return ${isAsync}(message) => {${receiver}\nreturn payload;}`,
  )();
  const restored = await settled(remedy, restore(received));
  return words(expectedIn(remedy, plan, make), restored.value);
}

/** What the code that a user gets does with a value that the remedy refuses: it arrives as a plain clone would. */
export function expectedOf(outcome: Outcome, remedy: Remedy, plan: Plan, make: Make): Outcome {
  if (outcome !== 'refused') return outcome;
  try {
    remedy.codec(plan);
    structuredClone(make());
    return [];
  } catch {
    return 'refused';
  }
}
