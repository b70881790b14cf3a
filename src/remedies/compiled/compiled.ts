import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { isJson } from '../../model/names.ts';
import { type Codec, type ProposalFacts, type Remedy, RemedyRefused } from '../../model/rules/remedy.ts';
import { callCode, TO_WORKER } from '../code/call.ts';
import { asPasted } from '../code/dialect.ts';
import { functionsOf, oncePerPlan } from '../code/run-code.ts';
import { compiledCodec } from './codec-text.ts';
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
  for (const [key, value] of Object.entries(view))
    Object.defineProperty(view, key, {
      value: readWhole(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return view;
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

interface CompiledPlan extends Plan {
  form: TextForm | typeof VIEWED | typeof AS_TEXT;
  /** Name of the payload. */
  name: string;
  /** Absent in a report, because the run has it. */
  schema: PayloadSchema;
  /** True if its module exports `viewMessage` too. */
  view?: boolean;
}

/** Form whose receiver reads by column. */
const VIEWED = 'viewed';
/** Form for a channel that carries JSON. */
const AS_TEXT = 'base64';

interface Functions {
  toMessage(payload: unknown): object;
  fromMessage(message: unknown): unknown;
  viewMessage?(message: unknown): unknown;
}

const compileText = ({ schema, name, form, view = form === VIEWED }: CompiledPlan) =>
  form === AS_TEXT
    ? compiledCodec(schema, name, 'joined', view, AS_TEXT)
    : compiledCodec(schema, name, form === VIEWED ? 'joined' : form, view);

const compileOnce = oncePerPlan((plan) =>
  functionsOf<Functions>(compileText(plan as CompiledPlan).source, [
    'toMessage',
    'fromMessage',
    'viewMessage',
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
  if (isJson(channel)) return isAllRest(schema, 'joined') ? [] : [{ path: '$', form: AS_TEXT, name, schema }];
  const forms: TextForm[] = hasLongTexts(schema) ? ['joined', 'listed'] : ['joined'];
  const plain = forms
    .filter((form) => !isAllRest(schema, form))
    .map((form): CompiledPlan => ({ path: '$', form, name, schema }));
  const viewed: CompiledPlan = { path: '$', form: VIEWED, isView: true, name, schema };
  return withView && compileText(viewed).hasView ? [...plain, viewed] : plain;
}

const PASSED = { message: 'toMessage(payload)', restored: 'fromMessage(message)' };

function receive(message: unknown, plan: Plan): unknown {
  const { fromMessage, viewMessage = fromMessage } = compileOnce(plan);
  return plan.isView ? viewMessage(message) : fromMessage(message);
}

/** Typed arrays and one text instead of objects, by code that is generated for the shape of the payload. */
export const compiled: Remedy = {
  name: 'compiled',
  title: 'send typed arrays and one text, by code made for this shape',
  forms: { joined: 'one text', listed: 'texts apart', [VIEWED]: 'read by column', [AS_TEXT]: 'as base64' },
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
  code(plan, target = TO_WORKER) {
    const { sender, receiver } = callCode(PASSED, target);
    return { sender: `${asPasted(compileText(plan as CompiledPlan).source)}\n\n${sender}`, receiver };
  },
  codec(plan, target = TO_WORKER): Codec {
    const { hasView: _, ...text } = compileText(plan as CompiledPlan);
    return { ...text, calls: callCode(PASSED, target), assumes: [], madeOf: plan as CompiledPlan };
  },
};
