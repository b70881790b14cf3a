/** A message of a program as data, in its recording. It is read, never run. */
import * as s from '../../schema.ts';
import { FLAGS } from '../../vocabulary/shape.ts';

/** How a value differs from an ordinary one of its kind. */
export const nodeFlagSchema = s.oneOf(FLAGS);
export type NodeFlag = s.TypeOf<typeof nodeFlagSchema>;

/** What values of all kinds below may have. */
export interface NodeFacts {
  /** Others refer to it by this. */
  id?: number;
  flags?: NodeFlag[];
  /** Its class, if that is not the usual one of its kind. */
  tag?: string;
}

export type TextNode = {
  is: 'text';
  units: number;
  /** It is the text itself; missing if it is masked. */
  text?: string;
  /** Units beyond ASCII and such that JSON escapes; missing if there are none. */
  beyond?: TextUnits;
  /** How it is stored. */
  flags?: NodeFlag[];
  /** Texts with the same number are the same text. */
  like?: number;
};

/** How many units are from U+0080, U+0100 and U+0800 on, are halves of pairs, are escaped by one sign and by five more. */
export type TextUnits = [
  latin: number,
  two: number,
  three: number,
  halves: number,
  escaped: number,
  controls: number,
];

export type ObjectNode = NodeFacts & {
  is: 'object' | 'arguments';
  entries: [key: string, value: ValueTree][];
  /** How many entries there were, where some stand for all. */
  of?: number;
};
export type ArrayNode = NodeFacts & {
  is: 'array';
  items: ValueTree[];
  /** Its length, where some items stand for all, or some are missing. */
  of?: number;
  /** Indices of the items, where some of the length are missing. */
  at?: number[];
  /** Properties with names. */
  named?: [key: string, value: ValueTree][];
  /** Of items that are met inside of others, a share: then none stands for all. */
  inside?: number;
};
export type MapNode = NodeFacts & {
  is: 'map';
  entries: [ValueTree, ValueTree][];
  of?: number;
  inside?: number;
};
export type SetNode = NodeFacts & { is: 'set'; items: ValueTree[]; of?: number; inside?: number };
export type ErrorNode = NodeFacts & {
  is: 'error';
  message?: ValueTree;
  cause?: ValueTree;
  /** Units of its stack, where they are known. */
  stack?: number;
};
export type BufferNode = NodeFacts & {
  is: 'buffer';
  bytes: number;
  shared?: boolean;
  /** It was in the transfer list. */
  moved?: boolean;
  /** Base64. */
  content?: string;
};
export type ViewNode = NodeFacts & {
  is: 'view';
  /** "Float64Array", "DataView", "Buffer". */
  type: string;
  bytes: number;
  offset: number;
  /** The buffer behind it. */
  on: ValueTree;
  /** Base64 of what it shows. */
  content?: string;
  /** Digits of its elements as JSON text, on average. */
  digits?: number;
};

export type BigintNode = { is: 'bigint'; bigint: string };
export type DateNode = NodeFacts & { is: 'date'; date: number | null };
export type RegexpNode = NodeFacts & { is: 'regexp'; source: string; letters: string };

export type TreeNode =
  | TextNode
  | { is: 'undefined' }
  /** NaN, Infinity, -Infinity, -0 */
  | { is: 'number'; number: string }
  | BigintNode
  | ObjectNode
  | ArrayNode
  | MapNode
  | SetNode
  | ErrorNode
  | BufferNode
  | ViewNode
  | DateNode
  | RegexpNode
  | (NodeFacts & { is: 'boxed'; value: ValueTree })
  /** Seen before in the same tree. */
  | { is: 'same'; id: number }
  /** What cannot be kept: too deep, or of the platform. */
  | { is: 'left'; left: string };

/** JSON values stand for themselves; all else says what it is. */
export type ValueTree = null | boolean | number | string | TreeNode;

const whole = s.whole();
const flags = s.optional(s.list(nodeFlagSchema));
const facts = { id: s.optional(whole), flags, tag: s.optional(s.string()) };

/** Recursive, so that its type cannot be inferred. Lines are refused before when they are nested too deeply. */
export const valueTreeSchema: s.Schema<ValueTree> = s.described(
  s.lazy(() => {
    const tree = valueTreeSchema;
    const entries = s.list(s.tuple([s.string(), tree]));
    const items = s.list(tree);
    const some = { of: s.optional(whole), inside: s.optional(s.share()) };
    return s.union([
      s.discriminatedUnion('is', [
        s.object({
          ...{ is: s.literal('text'), units: whole, text: s.optional(s.string()), flags },
          beyond: s.optional(s.tuple([whole, whole, whole, whole, whole, whole])),
          like: s.optional(whole),
        }),
        s.object({ is: s.literal('undefined') }),
        s.object({ is: s.literal('number'), number: s.string() }),
        s.object({ is: s.literal('bigint'), bigint: s.string() }),
        s.object({ is: s.oneOf(['object', 'arguments']), entries, of: s.optional(whole), ...facts }),
        s.object({
          ...{ is: s.literal('array'), items, at: s.optional(s.list(whole)), ...some },
          ...{ named: s.optional(entries), ...facts },
        }),
        s.object({ is: s.literal('map'), entries: s.list(s.tuple([tree, tree])), ...some, ...facts }),
        s.object({ is: s.literal('set'), items, ...some, ...facts }),
        s.object({
          ...{ is: s.literal('error'), message: s.optional(tree), cause: s.optional(tree) },
          ...{ stack: s.optional(whole), ...facts },
        }),
        s.object({
          ...{ is: s.literal('buffer'), bytes: whole, shared: s.optional(s.boolean()) },
          ...{ moved: s.optional(s.boolean()), content: s.optional(s.string()), ...facts },
        }),
        s.object({
          ...{ is: s.literal('view'), type: s.string(), bytes: whole, offset: whole, on: tree },
          ...{ content: s.optional(s.string()), digits: s.optional(s.amount()), ...facts },
        }),
        s.object({ is: s.literal('date'), date: s.nullable(s.number()), ...facts }),
        s.object({ is: s.literal('regexp'), source: s.string(), letters: s.string(), ...facts }),
        s.object({ is: s.literal('boxed'), value: tree, ...facts }),
        s.object({ is: s.literal('same'), id: whole }),
        s.object({ is: s.literal('left'), left: s.string() }),
      ]),
      s.nothing(),
      s.boolean(),
      s.number(),
      s.string(),
    ]);
  }),
  { id: 'ValueTree', description: 'A value as data.' },
);
