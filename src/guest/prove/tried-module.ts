import { remedyNamed } from '../../codec/remedies/index.ts';
import { STRATEGIES } from '../../codec/remedies/strategies.ts';
import { cutName, cutText } from '../../model/cut.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import type { FileContent } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { type Remedy, RemedyRefused, type TriedRewrite, triedIn } from '../../model/rules/remedy.ts';
import type { TriedFacts } from '../../model/wire/wire.ts';
import { exactType } from '../../value/compare/values.ts';
import { map } from '../../value/read/lists.ts';
import { isPromiseLike, type LoadedModule, loadModule, thrownBy } from '../payload/module.ts';
import type { PayloadFile } from '../platform/common/platform.ts';
import { restoreBuiltIns } from '../user-code/user-code.ts';

export type Rewrite = Pick<
  Remedy,
  'compile' | 'apply' | 'restore' | 'isAwaited' | 'receive' | 'transfer' | 'warmUp' | 'ofSequence' | 'content'
>;

export const contentOf = (rewrite: Rewrite | null, plan: Plan): FileContent =>
  triedIn(plan)?.calls?.content ?? rewrite?.content?.(plan) ?? 'serialized';

const REWRITE = ['apply', 'restore', 'transfer'] as const;
const CODEC = ['toMessage', 'fromMessage', 'transferList'] as const;
type Names = typeof REWRITE | typeof CODEC;

/** Limit for hand-written codecs, which may name each value. */
const MAX_MISSES = 100;

type UserFunction = (value: unknown, onMiss?: (path: unknown) => void) => unknown;

const isFunction = (value: unknown): value is UserFunction => typeof value === 'function';

/** Exports of the module, or members of its default export if it has neither function itself. */
function pickMembers({ names, read }: LoadedModule, [apply, restore]: Names) {
  const find = (name: string) => orElse(() => read(name), undefined);
  const whole = find('default');
  const isDefault = !names.has(apply) && !names.has(restore) && typeof whole === 'object' && whole !== null;
  return {
    self: isDefault ? whole : undefined,
    read: (name: string): unknown => (isDefault ? Reflect.get(whole, name) : find(name)),
  };
}

function triedModule(loaded: LoadedModule, file: PayloadFile, isCodec: boolean) {
  const names = isCodec ? CODEC : REWRITE;
  const { self, read } = pickMembers(loaded, names);
  const [apply, restore, transfer, name, title] = map([...names, 'name', 'title'], read);
  if (!isFunction(apply) || !isFunction(restore)) {
    const detail = `exports no function '${isFunction(apply) ? names[1] : names[0]}'`;
    throw new ToolError(isCodec ? 'codec-unfit' : 'try-unfit', { file: file.name, detail });
  }
  const misses = new Set<string>();
  const onMiss = (path: unknown) => {
    if (misses.size < MAX_MISSES) misses.add(cutText(String(path)));
  };
  /** Without checks, as fast as the user's own calls. Members are called as such: they may use `this`. */
  const rewrite: Rewrite = {
    apply: isCodec ? (value) => apply.call(self, value, onMiss) : (value) => apply.call(self, value),
    restore: (message) => restore.call(self, message),
    ...(isFunction(transfer) && {
      transfer: (message) => (transfer.call(self, message) ?? []) as ArrayBuffer[],
    }),
  };
  const facts: TriedFacts = {
    name: typeof name === 'string' && name !== '' ? cutName(name) : null,
    title: typeof title === 'string' && title !== '' ? cutText(title) : null,
    isDefault: self !== undefined,
    transfers: isFunction(transfer),
  };
  return { rewrite, facts, misses };
}

/** @throws RemedyRefused when it cannot be used */
export async function loadTried({ file, name, isCodec }: TriedRewrite) {
  const module = { file, name };
  try {
    return triedModule(await loadModule(module), module, isCodec === true);
  } catch (error) {
    // The error is about this rewrite alone: a ToolError would be an error of the payload.
    throw new RemedyRefused(error instanceof ToolError ? error.message : thrownText(error, module));
  }
}

/** "TypeError: no rows (line 3, column 9)" */
const thrownText = (error: unknown, module: PayloadFile): string =>
  thrownBy('module-threw', error, module).facts.detail ?? '';

/** The same for a proof: says which function did what a rewrite must not do. */
export function checked({ apply, restore, transfer }: Rewrite, module: PayloadFile): Rewrite {
  const result = (name: string, call: () => unknown): unknown => {
    let value: unknown;
    try {
      value = call();
    } catch (error) {
      throw new RemedyRefused(`${name} threw ${thrownText(error, module)}`);
    } finally {
      restoreBuiltIns();
    }
    if (!isPromiseLike(value)) return value;
    throw new RemedyRefused(`${name} returns a promise: the message and the payload are needed at once`);
  };
  return {
    apply: (value, plan) => result('apply', () => apply(value, plan)),
    restore: (message, plan) => result('restore', () => restore(message, plan)),
    ...(transfer && {
      transfer: (message, plan) => buffersIn(result('transfer', () => transfer(message, plan))),
    }),
  };
}

function buffersIn(list: unknown): ArrayBuffer[] {
  if (Array.isArray(list)) {
    const types = map(list, exactType);
    if (types.every((type) => type === 'arraybuffer')) return list as ArrayBuffer[];
  }
  throw new RemedyRefused('transfer must return a list of ArrayBuffers');
}

export function remedyByName(name: string): Remedy {
  const strategies: Record<string, Remedy> = STRATEGIES;
  const remedy = remedyNamed(name) ?? (Object.hasOwn(strategies, name) ? strategies[name] : undefined);
  if (!remedy) throw new Error(`unknown remedy '${name}'`);
  return remedy;
}

/** The remedy of that name, or the user's module that the plan names. @throws what loading that throws */
export async function rewriteFor(name: string, plan: Plan | null): Promise<Rewrite> {
  const tried = triedIn(plan);
  return tried ? (await loadTried(tried)).rewrite : remedyByName(name);
}
