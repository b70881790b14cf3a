import type { Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { isJson } from '../../model/names.ts';
import {
  type CallTarget,
  type Codec,
  type ProposalFacts,
  type Remedy,
  RemedyRefused,
} from '../../model/rules/remedy.ts';
import { callCode, TO_WORKER, takesTransferList } from '../code/call.ts';
import { asPasted } from '../code/dialect.ts';
import { functionsOf, oncePerPlan } from '../code/remedy-from-code.ts';
import { type CodecTerms, compiledCodec } from './codec-text.ts';
import type { TextForm } from './way.ts';
import { hasLongTexts, isAllRest } from './ways/index.ts';

/** Lists of records in the form that `viewMessage` returns. */
interface Columns extends Iterable<object> {
  at(row: number): object;
  column(key: string): ArrayLike<unknown>;
}

const isColumns = (value: object): value is Columns =>
  'column' in value && typeof value.column === 'function';

/**
 * The payload that a view shows; comparing it proves the view. Payloads cannot contain functions, so that methods
 * identify lists of records.
 *
 * @throws Error if a column differs from the records
 */
export function readWhole(view: unknown): unknown {
  if (typeof view !== 'object' || view === null) return view;
  if (isColumns(view)) return provenRecords(view);
  if (Object.getPrototypeOf(view) !== Object.prototype) return view;
  return Object.fromEntries(Object.entries(view).map(([key, value]) => [key, readWhole(value)]));
}

function provenRecords(columns: Columns): object[] {
  const records = [...columns];
  for (const key of Object.keys(records[0] ?? {})) {
    const column = columns.column(key);
    const isSame = (record: unknown, row: number) =>
      isEqual(Reflect.get(Object(record) as object, key), column[row]);
    if (column.length !== records.length || !records.every(isSame))
      throw new Error(`the column ${key} differs from the records`);
  }
  return records;
}

/** Compares objects by content, because each read makes new objects. */
const isEqual = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) ||
  (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** A report has it without `schema`, because the run has that. */
type CompiledPlan = Plan & CodecTerms;

interface Functions {
  toMessage(payload: unknown): object;
  fromMessage(message: unknown): unknown;
  viewMessage?(message: unknown): unknown;
  transferList?(message: unknown): object[];
}

const compileOnce = oncePerPlan((plan) =>
  functionsOf<Functions>(compiledCodec(plan as CompiledPlan, true).source, [
    'toMessage',
    'fromMessage',
    'viewMessage',
    'transferList',
  ]),
);

/** The last part of an id: `orders.mjs#small` -> `small`, `src/pool.js:41#2` -> `pool`. */
const typeName = (id: string): string =>
  id.replace(/(\.[cm]?[jt]sx?)?(:\d+)?(#\d+)?$/s, '').replace(/^.*[#/]/s, '') || 'payload';

function plans(
  _: Shape,
  { schema, channel = 'worker', id = 'payload', withView = false }: ProposalFacts,
): CompiledPlan[] {
  if (!schema) return [];
  const name = typeName(id);
  if (isJson(channel))
    return isAllRest(schema, 'joined') ? [] : [{ path: '$', form: 'base64', name, schema }];
  const forms: TextForm[] = hasLongTexts(schema) ? ['joined', 'listed'] : ['joined'];
  const plain = forms
    .filter((form) => !isAllRest(schema, form))
    .map((form): CompiledPlan => ({ path: '$', form, name, schema }));
  const viewed: CompiledPlan = { path: '$', form: 'viewed', isView: true, name, schema };
  return withView && compiledCodec(viewed).hasView ? [...plain, viewed] : plain;
}

/** Text and calls for one target, with a transfer list where it takes one. */
function codeFor(plan: Plan, target: CallTarget) {
  const isMoved = plan.form !== 'base64' && takesTransferList(target);
  const { hasView: _, ...text } = compiledCodec(plan as CompiledPlan, isMoved);
  const transferList = isMoved ? 'transferList(message)' : null;
  const passed = { message: 'toMessage(payload)', transferList, payload: 'fromMessage(message)' };
  return { text, calls: callCode(passed, target) };
}

function receive(message: unknown, plan: Plan): unknown {
  const { fromMessage, viewMessage = fromMessage } = compileOnce(plan);
  return plan.isView ? viewMessage(message) : fromMessage(message);
}

/** Typed arrays and one text instead of objects, by code that is generated for the shape of the payload. */
export const compiled: Remedy = {
  name: 'compiled',
  title: 'send typed arrays and one text, by code made for this shape',
  forms: { joined: 'one text', listed: 'texts apart', viewed: 'read by column', base64: 'as base64' },
  plans,
  compile: (plan) => void compileOnce(plan),
  apply(value, plan) {
    const message = compileOnce(plan).toMessage(value);
    if ('asIs' in message) throw new RemedyRefused('the codec does not fit this value');
    return message;
  },
  warmUp(value, plan) {
    const message = compileOnce(plan).toMessage(value);
    if (!('asIs' in message)) receive(message, plan);
  },
  restore: (message, plan) => (plan.isView ? readWhole(receive(message, plan)) : receive(message, plan)),
  receive,
  transfer: (message, plan) => compileOnce(plan).transferList?.(message) ?? [],
  code(plan, target = TO_WORKER) {
    const { text, calls } = codeFor(plan, target);
    return { ...calls, sender: `${asPasted(text.source)}\n\n${calls.sender}` };
  },
  codec(plan, target = TO_WORKER): Codec {
    const { text, calls } = codeFor(plan, target);
    return { ...text, calls, assumes: [], madeOf: plan as CompiledPlan };
  },
};
