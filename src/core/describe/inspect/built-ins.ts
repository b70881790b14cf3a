/** Facts of errors and of built-in objects that carry no children but may have been given properties. */
import { STRUCTURE } from '../flags.ts';
import type { BuiltInType } from '../probe.ts';
import type { Prototypes } from './prototypes.ts';

const { getOwnPropertyDescriptor, ownKeys } = Reflect;

/** Names that survive a clone (HTML StructuredSerializeInternal, step 17). */
const STANDARD_ERRORS = new Set([
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
]);

/** Own properties that engines give to every error; line and column ones are JSC's, the file ones Firefox's. */
const ERROR_KEYS: ReadonlySet<string | symbol> = new Set<string | symbol>([
  'message',
  'stack',
  'cause',
  'errors',
  'name',
  'line',
  'column',
  'sourceURL',
  'originalLine',
  'originalColumn',
  'fileName',
  'lineNumber',
  'columnNumber',
]);

export interface InspectedError {
  bits: number;
  tag: string;
  steps: string[];
  values: unknown[];
}

/** `stack` is never read: V8 formats it through Error.prepareStackTrace, which may be the user's. */
const ERROR_KEYS_TOLD = ['message', 'cause', 'errors'] as const;

/** @param sendsCause whether the engine clones the cause; `errors` and a message that is no string go nowhere */
export function inspectError(value: object, prototypes: Prototypes, sendsCause: boolean): InspectedError {
  const tag = prototypes.className(value) ?? 'Error';
  const facts: InspectedError = { bits: 0, tag, steps: [], values: [] };
  if (!STANDARD_ERRORS.has(tag) && tag !== 'AggregateError') facts.bits |= STRUCTURE.subclass;
  if (ownKeys(value).some((key) => !ERROR_KEYS.has(key))) facts.bits |= STRUCTURE['extra-props'];
  for (const key of ERROR_KEYS_TOLD) {
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined) continue;
    if (key === 'cause') facts.bits |= STRUCTURE['has-cause'];
    if (key === 'errors') facts.bits |= STRUCTURE.aggregate;
    if (!('value' in descriptor)) {
      facts.bits |= STRUCTURE.accessor;
      continue;
    }
    const child: unknown = descriptor.value;
    if (key === 'message' ? typeof child !== 'string' : key === 'errors' || !sendsCause) continue;
    facts.steps.push(key);
    facts.values.push(child);
  }
  return facts;
}

/** Prototype names of the kinds whose own class is told by the kind alone. */
const CLASS_OF_KIND: Partial<Record<BuiltInType['kind'], readonly string[]>> = {
  date: ['Date'],
  regexp: ['RegExp'],
  map: ['Map'],
  set: ['Set'],
  boxed: ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'],
  arraybuffer: ['ArrayBuffer'],
  promise: ['Promise'],
};

function isBuiltInKey(key: string | symbol, brand: BuiltInType): boolean {
  if (brand.kind === 'regexp') return key === 'lastIndex';
  return brand.kind === 'boxed' && typeof key === 'string' && (key === 'length' || /^\d+$/.test(key));
}

/** Bits and the tag to show: the brand's own, or the name of a subclass. */
export function inspectBuiltIn(
  value: object,
  brand: BuiltInType,
  prototypes: Prototypes,
): { bits: number; tag: string | undefined } {
  let bits = brand.transferable === true ? STRUCTURE.transferable : 0;
  const usual = CLASS_OF_KIND[brand.kind];
  if (usual === undefined) return { bits, tag: brand.tag };
  if (ownKeys(value).some((key) => !isBuiltInKey(key, brand))) bits |= STRUCTURE['extra-props'];
  const name = prototypes.className(value);
  if (name !== undefined && usual.includes(name)) return { bits, tag: brand.tag };
  return { bits: bits | STRUCTURE.subclass, tag: name ?? brand.tag };
}
