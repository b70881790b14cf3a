import { type Plan, type Remedy, RemedyRefused } from '../../model/rules/remedy.ts';
import type { Classification } from '../../model/rules/rule.ts';
import type { Shape } from '../../model/rules/shape.ts';
import { callOf } from './call.ts';

/** Self-contained declarations in plain JavaScript. */
export interface RemedyCode {
  /** Declares `toMessage(payload)`: never mutates the payload, throws when this value cannot be rewritten. */
  sender: string;
  /** Declares `fromMessage(message)`: may reuse the message, which nothing else refers to. */
  receiver: string;
  /** Declares `transferList(message)`. */
  transfer?: string;
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

function senderText({ sender, transfer }: RemedyCode, costs: readonly string[]): string {
  const isOriginal = sender === SENDS_ORIGINAL;
  const declarations = [...(isOriginal ? [] : [sender]), ...(transfer === undefined ? [] : [transfer])];
  const call = callOf({ hasTransfer: transfer !== undefined, isOriginal });
  return [...declarations, '', ...costs.map((cost) => `// ${cost}`), ...call].join('\n');
}

function receiverText({ receiver }: RemedyCode): string {
  if (receiver === RECEIVES_ORIGINAL) return 'const payload = message;';
  return `${receiver}\n\nconst payload = fromMessage(message);`;
}

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
    code(plan) {
      const source = sourceOf(plan);
      return { sender: senderText(source, costs), receiver: receiverText(source) };
    },
  };
}
