/** Statements that give a value of a tree what its flags say, after its properties are there. */
import type { ErrorNode, TreeNode } from '../../model/documents/recorded/value-tree.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import type { ModuleText } from './module-text.ts';

export const flagsOf = (tree: TreeNode): readonly Flag[] => ('flags' in tree ? (tree.flags ?? []) : []);
export const has = (tree: TreeNode, ...wanted: Flag[]): boolean =>
  flagsOf(tree).some((flag) => wanted.includes(flag));

const LOCKS = [
  ['frozen', 'freeze'],
  ['sealed', 'seal'],
  ['non-extensible', 'preventExtensions'],
] as const;

/** @param owner the variable @param sent JavaScript text of a key that is sent, if there is one */
export function attributeStatements(
  text: ModuleText,
  tree: TreeNode,
  owner: string,
  sent?: string,
): string[] {
  const lines: string[] = [];
  const define = (key: string, what: string) => `Object.defineProperty(${owner}, ${key}, { ${what} });`;
  if (has(tree, 'prototype-indexed')) text.differs('a prototype with indices has none here');
  if (has(tree, 'other-realm')) text.differs('a prototype of another realm is of this one here');
  if (has(tree, 'enumerable-accessor')) text.differs('an accessor has a name and value of ours');
  if (has(tree, 'symbol-key')) lines.push(`${owner}[Symbol("key")] = 0;`);
  const isHidden = !has(tree, 'enumerable-accessor');
  if (has(tree, 'accessor'))
    lines.push(define('"computed"', `get: () => 0, enumerable: ${!isHidden}, configurable: true`));
  if (has(tree, 'non-enumerable') && !(has(tree, 'accessor') && isHidden))
    lines.push(define('"hidden"', 'value: 0, enumerable: false, writable: true, configurable: true'));
  if (has(tree, 'indexed-storage')) lines.push(`${owner}[0] = 0;`, `delete ${owner}[0];`);
  if (has(tree, 'dictionary', 'hidden-state', 'uncacheable-dictionary'))
    lines.push(`${text.call('slow', owner)};`);
  // An object without properties is all three at once.
  const isVacuous = has(tree, 'vacuously-frozen');
  const locked = isVacuous ? LOCKS[2] : LOCKS.find(([flag]) => has(tree, flag));
  if (locked === undefined || locked[0] === 'non-extensible') lines.push(...fixed(tree, define, sent));
  if (locked !== undefined) lines.push(`Object.${locked[1]}(${owner});`);
  return lines;
}

/** Properties that cannot be written or configured, on an object that is not locked as a whole. */
function fixed(tree: TreeNode, define: (key: string, what: string) => string, sent?: string): string[] {
  const changes = [
    ...(has(tree, 'read-only') ? ['writable: false'] : []),
    ...(has(tree, 'non-configurable') ? ['configurable: false'] : []),
  ];
  if (changes.length === 0) return [];
  const isSent = has(tree, 'sent-fixed') && sent !== undefined;
  const key = isSent ? sent : has(tree, 'non-enumerable') ? '"hidden"' : sent;
  return key === undefined ? [] : [define(key, changes.join(', '))];
}

const ATTRIBUTES: readonly Flag[] = ['accessor', 'non-enumerable', 'non-configurable', 'read-only'];

/** Attributes of an array without names apply to its elements, or to `length`. */
export function arrayStatements(text: ModuleText, tree: TreeNode, owner: string): string[] {
  if (has(tree, 'array-storage', 'slow-put')) text.differs('an array is stored as a usual one here');
  const found = flagsOf(tree).filter((flag) => ATTRIBUTES.includes(flag));
  const hasNames = tree.is === 'array' && tree.named !== undefined;
  if (has(tree, 'frozen', 'sealed') || hasNames || found.length === 0)
    return attributeStatements(text, tree, owner);
  const flags = flagsOf(tree).filter((flag) => !ATTRIBUTES.includes(flag) && flag !== 'enumerable-accessor');
  const statements = attributeStatements(text, { ...tree, flags } as TreeNode, owner);
  if (found.length === 1 && found[0] === 'read-only' && !has(tree, 'dictionary-elements'))
    return [...statements, `Object.defineProperty(${owner}, "length", { writable: false });`];
  text.differs('elements with attributes are ordinary ones here');
  return statements;
}

/** Of a value whose own properties are not in the tree: a Date, a Map. */
export const extraStatements = (text: ModuleText, tree: TreeNode, owner: string): string[] => [
  ...(has(tree, 'altered-slot') ? [`${owner}.lastIndex = 1;`] : []),
  ...(has(tree, 'extra-props') ? [`${owner}.label = 0;`] : []),
  ...attributeStatements(text, tree, owner),
];

export function errorStatements(text: ModuleText, tree: ErrorNode, owner: string): string[] {
  text.differs('the stack of an error is a text of ours');
  if (has(tree, 'altered-slot')) text.differs('a message or stack that is not a text is one here');
  return [
    ...(has(tree, 'extra-props') ? [`${owner}.code = 0;`] : []),
    ...(has(tree, 'aggregate') && tree.tag !== 'AggregateError' ? [`${owner}.errors = [];`] : []),
    ...attributeStatements(text, tree, owner),
  ];
}
