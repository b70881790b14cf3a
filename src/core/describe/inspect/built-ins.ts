/** Facts of errors and of built-in objects that have no children but may have been given properties. */
import type { Kind } from '../../../model/shape.ts';
import { CONSTRUCTOR_OF, isStandardError } from '../../value/built-in-names.ts';
import { STRUCTURE } from '../flags.ts';
import type { BuiltInType } from '../probe.ts';
import type { Prototypes } from './prototypes.ts';

const { getOwnPropertyDescriptor, ownKeys } = Reflect;

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
const INSPECTED_ERROR_KEYS = ['message', 'cause', 'errors'] as const;

/** @param sendsCause whether the engine clones the cause; `errors` and a message that is not a string are never cloned */
export function inspectError(value: object, prototypes: Prototypes, sendsCause: boolean): InspectedError {
  const tag = prototypes.className(value) ?? 'Error';
  const error: InspectedError = { bits: 0, tag, steps: [], values: [] };
  if (!isStandardError(tag)) error.bits |= STRUCTURE.subclass;
  if (ownKeys(value).some((key) => !ERROR_KEYS.has(key))) error.bits |= STRUCTURE['extra-props'];
  for (const key of INSPECTED_ERROR_KEYS) {
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined) continue;
    if (key === 'cause') error.bits |= STRUCTURE['has-cause'];
    if (key === 'errors') error.bits |= STRUCTURE.aggregate;
    if (!('value' in descriptor)) {
      error.bits |= STRUCTURE.accessor;
      continue;
    }
    const child: unknown = descriptor.value;
    if (key === 'message' ? typeof child !== 'string' : key === 'errors' || !sendsCause) continue;
    error.steps.push(key);
    error.values.push(child);
  }
  return error;
}

const BOXED = ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'];

/** Kinds that may have own properties or be of a subclass. */
const EXTENSIBLE: ReadonlySet<Kind> = new Set<Kind>([
  'date',
  'regexp',
  'map',
  'set',
  'boxed',
  'arraybuffer',
  'promise',
]);

function isBuiltInKey(key: string | symbol, { kind }: BuiltInType): boolean {
  if (kind === 'regexp') return key === 'lastIndex';
  return kind === 'boxed' && typeof key === 'string' && (key === 'length' || /^\d+$/.test(key));
}

/** Flags, and the tag to show: that of the type, or the name of a subclass. */
export function inspectBuiltIn(
  value: object,
  type: BuiltInType,
  prototypes: Prototypes,
): { bits: number; tag: string | undefined } {
  const { kind, tag } = type;
  let bits = type.transferable === true ? STRUCTURE.transferable : 0;
  if (!EXTENSIBLE.has(kind)) return { bits, tag };
  if (ownKeys(value).some((key) => !isBuiltInKey(key, type))) bits |= STRUCTURE['extra-props'];
  const name = prototypes.className(value);
  const isOwn =
    name !== undefined && (kind === 'boxed' ? BOXED.includes(name) : name === CONSTRUCTOR_OF[kind]);
  return isOwn ? { bits, tag } : { bits: bits | STRUCTURE.subclass, tag: name ?? tag };
}
