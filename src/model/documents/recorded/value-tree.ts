/** A message of a recorded program as data. It is read, never executed. */
import * as s from '../../schema.ts';
import { FLAGS } from '../shape.ts';

/** JSON values stand for themselves; every other value names its kind in `is`. */
export type ValueTree = null | boolean | number | string | TreeNode;

/** TypeScript resolves an interface lazily, so that the types of schemas that refer to it can be inferred. */
interface TreeSchema extends s.Schema<ValueTree> {}
const tree: TreeSchema = s.lazy(() => valueTreeSchema);

const count = s.optional(s.whole());
const entries = s.list(s.tuple([s.string(), tree]));
const items = s.list(tree);
const content = s.optional(s.string('Base64; of a view that of what it shows.'));

const flags = s.optional(
  s.list(s.oneOf(FLAGS), 'How it differs from an ordinary one of its kind, or how it is stored.'),
);
const facts = {
  id: s.described(count, 'Others refer to it by this.'),
  flags,
  tag: s.optional(s.string('Its class, if that is not the usual one of its kind.')),
};
const some = {
  of: s.described(count, 'How many there were, where some stand for all; the length of an array.'),
  inside: s.optional(s.share('Of items that are met inside of others: then none stands for all.')),
};

/** Schemas of the values that are not JSON values, by their kind. */
export const NODES = {
  text: s.object({
    ...{ is: s.literal('text'), units: s.whole(), flags },
    text: s.optional(s.string('It is the text itself; missing if it is masked.')),
    beyond: s.optional(
      s.tuple(
        [s.whole(), s.whole(), s.whole(), s.whole(), s.whole(), s.whole()],
        'How many units are from U+0080, U+0100 and U+0800 on, are halves of pairs, are escaped by one sign and by five more; missing if none is.',
      ),
    ),
    like: s.described(count, 'Texts with the same number are the same text.'),
  }),
  bigint: s.object({ is: s.literal('bigint'), bigint: s.string() }),
  object: s.object({ is: s.oneOf(['object', 'arguments']), entries, of: some.of, ...facts }),
  array: s.object({
    ...{ is: s.literal('array'), items, ...some, ...facts },
    at: s.optional(s.list(s.whole(), 'Indices of the items, where some of the length are missing.')),
    named: s.optional(s.described(entries, 'Properties with names.')),
  }),
  map: s.object({ is: s.literal('map'), entries: s.list(s.tuple([tree, tree])), ...some, ...facts }),
  set: s.object({ is: s.literal('set'), items, ...some, ...facts }),
  error: s.object({
    ...{ is: s.literal('error'), message: s.optional(tree), cause: s.optional(tree), ...facts },
    stack: s.described(count, 'Units of its stack, where they are known.'),
  }),
  buffer: s.object({
    ...{ is: s.literal('buffer'), bytes: s.whole(), shared: s.optional(s.boolean()), content, ...facts },
    moved: s.optional(s.boolean('It was in the transfer list.')),
  }),
  view: s.object({
    ...{ is: s.literal('view'), bytes: s.whole(), offset: s.whole(), content, ...facts },
    type: s.string('"Float64Array", "DataView", "Buffer".'),
    on: s.described(tree, 'The buffer behind it.'),
    digits: s.optional(s.amount('Of its elements as JSON text, on average.')),
  }),
  date: s.object({ is: s.literal('date'), date: s.nullable(s.number()), ...facts }),
  regexp: s.object({ is: s.literal('regexp'), source: s.string(), letters: s.string(), ...facts }),
  boxed: s.object({ is: s.literal('boxed'), value: tree, ...facts }),
  undefined: s.object({ is: s.literal('undefined') }),
  number: s.object({ is: s.literal('number'), number: s.string() }),
  /** An object that occurred before in the same tree. */
  same: s.object({ is: s.literal('same'), id: s.whole() }),
  /** A value that cannot be kept: too deep, or of the platform. */
  left: s.object({ is: s.literal('left'), left: s.string() }),
};

type Of<K extends keyof typeof NODES> = s.TypeOf<(typeof NODES)[K]>;
export interface TextNode extends Of<'text'> {}
export interface BigintNode extends Of<'bigint'> {}
export interface ObjectNode extends Of<'object'> {}
export interface ArrayNode extends Of<'array'> {}
export interface MapNode extends Of<'map'> {}
export interface SetNode extends Of<'set'> {}
export interface ErrorNode extends Of<'error'> {}
export interface BufferNode extends Of<'buffer'> {}
export interface ViewNode extends Of<'view'> {}
export interface DateNode extends Of<'date'> {}
export interface RegexpNode extends Of<'regexp'> {}
export interface BoxedNode extends Of<'boxed'> {}
interface UndefinedNode extends Of<'undefined'> {}
interface NumberNode extends Of<'number'> {}
interface SameNode extends Of<'same'> {}
interface LeftNode extends Of<'left'> {}
export type NodeFacts = Pick<ObjectNode, 'id' | 'flags' | 'tag'>;
export type TextUnits = NonNullable<TextNode['beyond']>;
export type TreeNode =
  | (TextNode | BigintNode | ObjectNode | ArrayNode | MapNode | SetNode | ErrorNode | BufferNode | ViewNode)
  | (DateNode | RegexpNode | BoxedNode | UndefinedNode | NumberNode | SameNode | LeftNode);

/** Lines that are nested too deeply are refused earlier. */
export const valueTreeSchema: s.Schema<ValueTree> = s.described(
  s.union([
    s.discriminatedUnion('is', Object.values(NODES) as [typeof NODES.text]),
    s.nothing(),
    s.boolean(),
    s.number(),
    s.string(),
  ]),
  { id: 'ValueTree', description: 'A value as data.' },
);
