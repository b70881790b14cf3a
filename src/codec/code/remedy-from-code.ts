import type { Assumption, Plan } from '../../model/documents/trial.ts';
import type { FileContent } from '../../model/names.ts';
import { type CallTarget, type Codec, type Remedy, RemedyRefused } from '../../model/rules/remedy.ts';
import { callCode, TO_WORKER, takesTransferList } from './call.ts';
import { blocksOf, calledBy, declared, type FunctionCode, functionsOf, indent } from './javascript.ts';
import { SHARED } from './shared-declarations.ts';

/** Self-contained functions in plain JavaScript; types may be in comments (javascript.ts). */
export interface RemedyCode {
  /** `toMessage`: never mutates the payload, throws if the value cannot be rewritten. Absent: it posts the payload. */
  sender?: FunctionCode;
  /** `fromMessage`: may reuse the message, which nothing else uses. Absent: the message equals the payload. */
  receiver?: FunctionCode;
  isAwaited?: boolean;
  /** Declares `transferList(message)`. */
  transfer?: string;
  /** The message is a string. The functions take `payload` and `message`. */
  isText?: true;
  /** TypeScript type of the message; default: unknown. */
  messageType?: string;
  /**
   * Expressions with the same effect on payloads like the sample, of `payload` and of `message`, which is posted. They are
   * shown instead of the functions, where receivers get an equal value without restoring it.
   */
  inline?: { message: string; transferList: string | null };
}

const AS_PAYLOAD = '/*as Payload */';

function sending(body: string, otherwise: string): string {
  return `export function toMessage(payload/*: Payload */, onMiss/*?: (reason: unknown) => void */)/*: Message */ {
  try {
${indent(body, '    ')}
  } catch (reason) {
    onMiss?.(reason);
    return ${otherwise};
  }
}`;
}

function receiving(body: string, isAwaited = false): string {
  const [async, type] = isAwaited ? ['async ', 'Promise<Payload>'] : ['', 'Payload'];
  return `export ${async}function fromMessage(message/*: Message */)/*: ${type} */ {
${indent(body)}
}`;
}

function writeSender({ sender, receiver, isText, messageType }: RemedyCode): string[] {
  if (sender === undefined) return [];
  const { calls = [], body } = sender;
  if (isText) return [sending(body, '{ asIs: payload }'), ...calls];
  const inner = [...calls, declared('encode', sender)];
  if (!receiver) return [sending(`return encode(payload)${AS_PAYLOAD};`, 'payload'), ...inner];
  const checked = `const message = encode(payload);
if (isAsIs(message)) throw new TypeError("the message has a key 'asIs'");
return message${messageType ? '/*as Message */' : ''};`;
  return [sending(checked, '{ asIs: payload }'), ...inner];
}

function writeReceiver({ receiver, isText, isAwaited = false }: RemedyCode): string[] {
  if (receiver === undefined) return [];
  const { calls = [], body } = receiver;
  if (isText) return [receiving(`if (typeof message !== 'string') return message.asIs;\n${body}`), ...calls];
  const decoded = isAwaited ? '(await decode(message))' : 'decode(message)';
  const told = `return isAsIs(message) ? message.asIs : ${decoded}${AS_PAYLOAD};`;
  return [receiving(told, isAwaited), ...calls, declared('decode', receiver, isAwaited)];
}

/** The declarations, exported ones first, then the helpers that they call. */
function moduleOf(code: RemedyCode, helpers = ''): string {
  const isExported = (text: string) => text.startsWith('export ');
  const own = [...writeSender(code), code.transfer ?? '', ...writeReceiver(code)]
    .filter((text) => text !== '')
    .sort((a, b) => Number(isExported(b)) - Number(isExported(a)))
    .join('\n\n');
  return `${own}\n\n${calledBy(own, [...blocksOf(helpers), ...SHARED])}`.trimEnd();
}

function messageTypeOf({ receiver, isText, messageType = isText && 'string' }: RemedyCode): string {
  if (!receiver) return 'Payload';
  return messageType ? `${messageType} | { asIs: Payload }` : 'unknown';
}

interface RemedyDefinition<P extends Plan>
  extends Pick<Remedy, 'name' | 'title' | 'forms' | 'costs' | 'ofMemory' | 'isAwaited'> {
  plans(...of: Parameters<Remedy['plans']>): P[];
  /** Both directions, for the paths of the plan. If `toMessage` throws, the payload is sent unchanged. */
  source(plan: P): RemedyCode;
  helpers?: string;
  content?(plan: P): FileContent;
  assumes?(plan: P): Assumption[];
  /** True if `source` declares a transfer list for at least some plans. */
  transfers?: boolean;
}

interface Compiled {
  toMessage?(payload: unknown, onMiss: (reason: unknown) => void): unknown;
  fromMessage?(message: unknown): unknown;
  transferList?(message: unknown): object[];
}

function refuse(cause: unknown): never {
  throw new RemedyRefused(cause instanceof Error ? cause.message : String(cause), { cause });
}

function writeCalls(code: RemedyCode, costs: readonly string[], target: CallTarget, content?: FileContent) {
  const { inline } = code;
  const isOriginal = code.sender === undefined;
  const message = inline?.message ?? (isOriginal ? 'payload' : 'toMessage(payload)');
  const list = inline ? inline.transferList : `transferList(${isOriginal ? 'payload' : 'message'})`;
  const isListed = code.transfer !== undefined && takesTransferList(target);
  const call = code.isAwaited ? 'await fromMessage(message)' : 'fromMessage(message)';
  const payload = code.receiver === undefined ? 'message' : call;
  const transferList = isListed ? list : null;
  const { sender, receiver } = callCode({ message, transferList, payload, content }, target);
  return { sender: [...costs.map((cost) => `// ${cost}`), sender].join('\n'), receiver };
}

/**
 * A remedy whose `apply` and `restore` run the code that the user gets: this code is proven and timed. It has the keys of
 * the payload as literals: V8 and JSC build a record 5 to 9 times as fast as by computed keys.
 */
export function remedyFromCode<P extends Plan>(definition: RemedyDefinition<P>): Remedy {
  const { source, helpers, assumes, transfers, ...facts }: RemedyDefinition<Plan> = definition;
  const { costs = [], isAwaited, content } = facts;
  const planSource = (plan: Plan): RemedyCode => ({ ...source(plan), ...(isAwaited && { isAwaited }) });
  const functions = oncePerPlan((plan) => {
    try {
      return functionsOf<Compiled>(moduleOf(planSource(plan), helpers));
    } catch (cause) {
      return refuse(cause);
    }
  });
  return {
    ...{ costs, ...facts },
    compile: (plan) => void functions(plan),
    apply(value, plan) {
      const { toMessage } = functions(plan);
      return toMessage ? toMessage(value, refuse) : value;
    },
    restore(message, plan) {
      const { fromMessage } = functions(plan);
      return fromMessage ? fromMessage(message) : message;
    },
    ...(transfers && { transfer: (message, plan) => functions(plan).transferList?.(message) ?? [] }),
    codec(plan, target = TO_WORKER): Codec {
      const code = planSource(plan);
      return {
        source: moduleOf(code, helpers),
        calls: writeCalls(code, costs, target, content?.(plan)),
        messageType: messageTypeOf(code),
        ...(isAwaited && { isAwaited }),
        assumes: assumes?.(plan) ?? [],
      };
    },
  };
}

/** Memoizes `make` per plan. Each thread that proves or measures has its own plans. */
export function oncePerPlan<T>(make: (plan: Plan) => T): (plan: Plan) => T {
  const made = new WeakMap<Plan, T>();
  return (plan) => {
    const one = made.get(plan) ?? make(plan);
    made.set(plan, one);
    return one;
  };
}
