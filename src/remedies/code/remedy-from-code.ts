import type { Shape } from '../../model/documents/shape.ts';
import type { Assumption, Plan } from '../../model/documents/trial.ts';
import type { FileContent } from '../../model/names.ts';
import {
  type CallTarget,
  type Codec,
  type ProposalFacts,
  type Remedy,
  RemedyRefused,
} from '../../model/rules/remedy.ts';
import { postLines, receiveLines, TO_WORKER, takesTransferList } from './call.ts';
import { codecText, RECEIVES_ORIGINAL, type RemedyCode, SENDS_ORIGINAL, writeMessageType } from './codec.ts';
import { asJavaScript } from './dialect.ts';

export { RECEIVES_ORIGINAL, type RemedyCode, SENDS_ORIGINAL } from './codec.ts';

/** An assumption that the types of a module tell too. */
export const ASSUMED_NUMBER = 'number';

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
  plans(shape: Shape, facts: ProposalFacts): P[];
  /** Both directions, for the paths of the plan. What `toMessage` throws for is sent as it is. */
  source(plan: P): RemedyCode;
  /** See Remedy. */
  content?(plan: P): FileContent;
  assumes?(plan: P): Assumption[];
  /** True when `source` declares a transfer list for at least some plans. */
  transfers?: boolean;
  /** See Remedy. */
  ofMemory?: true;
  /** See Remedy; what `source` declares is so too. */
  isAwaited?: true;
}

interface Compiled {
  toMessage(payload: unknown, onMiss: (reason: unknown) => void): unknown;
  fromMessage(message: unknown): unknown;
  transferList(message: unknown): object[];
}

/** Compiles what is emitted. */
function compile(code: RemedyCode): Compiled {
  const source = codecText(code).module.replace(/^export /gm, '');
  const orNull = (name: string) => `${name}: typeof ${name} === 'undefined' ? null : ${name}`;
  const names = ['toMessage', 'fromMessage', 'transferList'].map(orNull).join(', ');
  // biome-ignore lint/style/noRestrictedGlobals: the code that the user gets is the code that is proven.
  const found = new Function(`"use strict";\n${source}\nreturn { ${names} };`)() as Partial<Compiled>;
  return {
    toMessage: found.toMessage ?? ((payload) => payload),
    fromMessage: found.fromMessage ?? ((message) => message),
    transferList: found.transferList ?? (() => []),
  };
}

/** A codec that misses is never advised. */
function refuse(cause: unknown): never {
  throw new RemedyRefused(cause instanceof Error ? cause.message : String(cause), { cause });
}

interface Calls {
  sender: string;
  receiver: string;
}

/** Expressions instead of calls of the functions, where the code has them. */
function writeCalls(
  code: RemedyCode,
  costs: readonly string[],
  target: CallTarget,
  content?: FileContent,
): Calls {
  const { inline } = code;
  const isOriginal = code.sender === SENDS_ORIGINAL;
  const message = inline?.message ?? (isOriginal ? 'payload' : 'toMessage(payload)');
  const list = inline ? inline.transferList : `transferList(${isOriginal ? 'payload' : 'message'})`;
  const isListed = code.transfer !== undefined && takesTransferList(target);
  const call = code.isAwaited ? 'await fromMessage(message)' : 'fromMessage(message)';
  const restored = code.receiver === RECEIVES_ORIGINAL ? 'message' : call;
  const sent = { message, transferList: isListed ? list : null, ...(content && { content }) };
  return {
    sender: [...costs.map((cost) => `// ${cost}`), ...postLines(sent, target)].join('\n'),
    receiver: receiveLines(restored, target, content).join('\n'),
  };
}

const withoutTransfer = ({ transfer: _, ...code }: RemedyCode): RemedyCode => code;
const withoutInline = ({ inline: _, ...code }: RemedyCode): RemedyCode => code;

const pasted = (declarations: string, call: string) =>
  [asJavaScript(declarations).replace(/^export /gm, ''), call].filter((text) => text !== '').join('\n\n');

/**
 * A remedy whose `apply` and `restore` run the code that the user gets, so that exactly this code is proven and timed. It
 * is generated for the payload's own paths: engines see literal keys instead of computed ones (5 to 9 times faster to
 * build a record in V8 and JSC).
 */
export function remedyFromCode<P extends Plan>(definition: RemedyDefinition<P>): Remedy {
  const { name, title, forms = {}, costs = [], plans, transfers, ofMemory, isAwaited } = definition;
  const planSource = (plan: Plan): RemedyCode => ({
    ...definition.source(plan as P),
    ...(isAwaited && { isAwaited }),
  });
  const byPlan = new WeakMap<Plan, Compiled>();
  const compiled = (plan: Plan): Compiled => {
    const code = byPlan.get(plan) ?? compile(planSource(plan));
    byPlan.set(plan, code);
    return code;
  };
  return {
    name,
    title,
    forms,
    costs,
    plans,
    ...(ofMemory && { ofMemory }),
    ...(isAwaited && { isAwaited }),
    ...(definition.content && { content: (plan) => definition.content?.(plan as P) ?? 'serialized' }),
    compile: (plan) => void compiledOrRefused(compiled, plan),
    apply: (value, plan) => compiledOrRefused(compiled, plan).toMessage(value, refuse),
    restore: (message, plan) => compiled(plan).fromMessage(message),
    ...(transfers ? { transfer: (message, plan) => compiled(plan).transferList(message) } : {}),
    code(plan, target = TO_WORKER) {
      const code = planSource(plan);
      const calls = writeCalls(code, costs, target, definition.content?.(plan as P));
      if (code.inline) return calls;
      const text = codecText(takesTransferList(target) ? code : withoutTransfer(code));
      return { sender: pasted(text.sender, calls.sender), receiver: pasted(text.receiver, calls.receiver) };
    },
    codec(plan, target = TO_WORKER): Codec {
      const code = planSource(plan);
      return {
        source: codecText(code).module,
        calls: writeCalls(withoutInline(code), costs, target, definition.content?.(plan as P)),
        messageType: writeMessageType(code),
        ...(isAwaited && { isAwaited }),
        assumes: definition.assumes?.(plan as P) ?? [],
      };
    },
  };
}

/** A plan for which no code can be generated. */
function compiledOrRefused(compiled: (plan: Plan) => Compiled, plan: Plan): Compiled {
  try {
    return compiled(plan);
  } catch (cause) {
    return refuse(cause);
  }
}
