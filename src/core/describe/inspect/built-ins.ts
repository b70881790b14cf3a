/** Facts of errors and of built-in objects that have no children but may have been given properties. */
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { CONSTRUCTOR_OF } from '../../value/built-in-names.ts';
import { isIndexKey } from '../../value/index-key.ts';
import { ownData } from '../../value/own-data.ts';
import { platformClass } from '../../value/platform-class.ts';
import { STRUCTURE } from './flags.ts';
import { integrityBits } from './own-properties.ts';
import type { BuiltInType, TypeDetection } from './probe.ts';
import type { Prototypes } from './prototypes.ts';

const { getPrototypeOf, ownKeys } = Reflect;

const BOXED: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'BigInt', 'Symbol']);

/** Kinds that may have own properties or be of a subclass. */
const EXTENSIBLE: ReadonlySet<Kind> = new Set<Kind>(['date', 'regexp', 'map', 'set', 'boxed', 'promise']);

function isBuiltInKey(key: string | symbol, { kind }: BuiltInType): boolean {
  if (kind === 'regexp') return key === 'lastIndex';
  return kind === 'boxed' && typeof key === 'string' && (key === 'length' || isIndexKey(key));
}

/** Own symbols of a Blob or DOMException are the platform's. */
function platformBits(value: object, { isProxy }: TypeDetection): number {
  const known = platformClass(value, isProxy);
  if (known === undefined) return 0;
  let bits = integrityBits(value);
  if (getPrototypeOf(value) !== known.prototype) bits |= STRUCTURE.subclass;
  for (const key of ownKeys(value)) if (typeof key === 'string') bits |= STRUCTURE['extra-props'];
  return bits;
}

/** Flags, and the tag to show: that of the type, or the name of a subclass. */
export function inspectBuiltIn(
  value: object,
  type: BuiltInType,
  prototypes: Prototypes,
  types: TypeDetection,
): { bits: number; tag: string | undefined } {
  const { kind, tag } = type;
  let bits = type.transferable === true ? STRUCTURE.transferable : 0;
  if (kind === 'platform') return { bits: bits | platformBits(value, types), tag };
  if (!EXTENSIBLE.has(kind)) return { bits, tag };
  bits |= integrityBits(value);
  for (const key of ownKeys(value)) if (!isBuiltInKey(key, type)) bits |= STRUCTURE['extra-props'];
  if (kind === 'regexp' && ownData(value, 'lastIndex') !== 0) bits |= STRUCTURE['altered-slot'];
  const isName = (name: string) => (kind === 'boxed' ? BOXED.has(name) : name === CONSTRUCTOR_OF[kind]);
  if (prototypes.isBuiltIn(value, isName, 1)) return { bits, tag };
  return { bits: bits | STRUCTURE.subclass, tag: prototypes.className(value) ?? tag };
}
