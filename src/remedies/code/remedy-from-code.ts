import { type CallTarget, type Plan, type Remedy, RemedyRefused } from '../../model/rules/remedy.ts';
import type { Classification } from '../../model/rules/rule.ts';
import type { Shape } from '../../model/rules/shape.ts';
import { callOf, receptionOf, TO_WORKER, takesTransferList } from './call.ts';

/** Self-contained declarations in plain JavaScript. */
export interface RemedyCode {
  /** Declares `toMessage(payload)`: never mutates the payload, throws when this value cannot be rewritten. */
  sender: string;
  /** Declares `fromMessage(message)`: may reuse the message, which nothing else refers to. */
  receiver: string;
  /** Declares `transferList(message)`. */
  transfer?: string;
  /** What the functions return, where that is one expression each: then it is shown instead of the functions. */
  inline?: { message: string; transferList: string | null };
}

/** All there is to write for a new remedy. */
export interface RemedyDefinition<P extends Plan> {
  /** "json-text" */
  name: string;
  /** "send one JSON text" */
  title: string;
  forms?: Readonly<Record<string, string>>;
  /** See Remedy; told in the code too. */
  costs?: readonly string[];
  /** Plans worth trying for this payload, best first; none when the remedy does not apply. */
  plans(shape: Shape, classification: Classification): P[];
  /** Both directions, for the paths of the plan. */
  source(plan: P): RemedyCode;
  /** True when `source` declares a transfer list for at least some plans. */
  transfers?: boolean;
}

interface Compiled {
  toMessage(payload: unknown): unknown;
  fromMessage(message: unknown): unknown;
  transferList(message: unknown): ArrayBuffer[];
}

function compile({ sender, receiver, transfer }: RemedyCode): Compiled {
  const evaluate = (text: string, name: string) => new Function(`"use strict";\n${text}\nreturn ${name};`)();
  return {
    toMessage: evaluate(sender, 'toMessage'),
    fromMessage: evaluate(receiver, 'fromMessage'),
    transferList: transfer === undefined ? () => [] : evaluate(transfer, 'transferList'),
  };
}

/** `toMessage` of a remedy that posts the payload itself. */
export const SENDS_ORIGINAL = 'function toMessage(payload) {\n  return payload;\n}';
/** `fromMessage` of a remedy whose message equals the payload. */
export const RECEIVES_ORIGINAL = 'function fromMessage(message) {\n  return message;\n}';

interface Calls {
  sender: string;
  receiver: string;
}

/** Expressions instead of calls of the functions, where the code has them. */
function callsOf(
  { sender, receiver, transfer, inline }: RemedyCode,
  costs: readonly string[],
  target: CallTarget,
): Calls {
  const isOriginal = sender === SENDS_ORIGINAL;
  const message = inline?.message ?? (isOriginal ? 'payload' : 'toMessage(payload)');
  const list = inline ? inline.transferList : `transferList(${isOriginal ? 'payload' : 'message'})`;
  const call = callOf({ message, transferList: transfer === undefined ? null : list }, target);
  const restored = receiver === RECEIVES_ORIGINAL ? 'message' : 'fromMessage(message)';
  return {
    sender: [...costs.map((cost) => `// ${cost}`), ...call].join('\n'),
    receiver: receptionOf(restored, target).join('\n'),
  };
}

const pasted = (declarations: readonly string[], call: string) =>
  declarations.length === 0 ? call : `${declarations.join('\n')}\n\n${call}`;

/**
 * A remedy whose `apply` and `restore` run the code that the user gets, so that exactly this code is proven and timed. It
 * is generated for the payload's own paths: engines see literal keys instead of computed ones (5 to 9 times faster to
 * build a record in V8 and JSC).
 */
export function remedyFromCode<P extends Plan>(definition: RemedyDefinition<P>): Remedy {
  const { name, title, forms = {}, costs = [], plans, transfers } = definition;
  const sourceOf = (plan: Plan) => definition.source(plan as P);
  const byPlan = new WeakMap<Plan, Compiled>();
  const compiled = (plan: Plan): Compiled => {
    const code = byPlan.get(plan) ?? compile(sourceOf(plan));
    byPlan.set(plan, code);
    return code;
  };
  return {
    name,
    title,
    forms,
    costs,
    plans,
    apply(value, plan) {
      try {
        return compiled(plan).toMessage(value);
      } catch (cause) {
        throw new RemedyRefused(cause instanceof Error ? cause.message : String(cause), { cause });
      }
    },
    restore: (message, plan) => compiled(plan).fromMessage(message),
    ...(transfers ? { transfer: (message, plan) => compiled(plan).transferList(message) } : {}),
    code(plan, target = TO_WORKER) {
      const { sender, receiver, transfer, inline } = sourceOf(plan);
      const calls = callsOf(sourceOf(plan), costs, target);
      if (inline) return calls;
      const list = transfer !== undefined && takesTransferList(target) ? [transfer] : [];
      return {
        sender: pasted([...(sender === SENDS_ORIGINAL ? [] : [sender]), ...list], calls.sender),
        receiver: pasted(receiver === RECEIVES_ORIGINAL ? [] : [receiver], calls.receiver),
      };
    },
  };
}
