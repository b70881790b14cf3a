/** Finds the line of a value in the user's file, for annotations. The file is read as text, not run. */
import { resolve } from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isTooDeep } from '../../app/store/document.ts';
import { startOf } from '../../machine/given-file.ts';
import type { Recipe } from '../../model/report/recipe.ts';

/** A step of a concrete path: a key, or an index of an array. */
export type ValueStep = string | number;

/** Maximum size: reviews do not show larger files either. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Line of the value, counted from 1; null if the file is large or binary, or does not contain its values as text. */
export function lineOfValue(recipe: Recipe, steps: readonly ValueStep[], folder: string): number | null {
  const { build } = recipe;
  if (build.form === 'ndjson') return build.line;
  if (build.form !== 'json' && build.form !== 'module') return build.form === 'text' ? 1 : null;
  const file = build.form === 'json' ? build.file : resolve(folder, build.original);
  const text = readText(file);
  if (text === null) return null;
  const offset = build.form === 'json' ? jsonOffset(text, steps) : exportOffset(text, build.export);
  return offset === null ? 1 : text.slice(0, offset).split('\n').length;
}

const readText = (file: string): string | null => {
  const text = startOf(file, MAX_BYTES + 1);
  return text !== null && Buffer.byteLength(text) > MAX_BYTES ? null : text;
};

/** Offset of the value at the steps, or of its nearest parent in the text (an envelope adds steps that no file has). */
function jsonOffset(text: string, steps: readonly ValueStep[]): number | null {
  // The parser is recursive.
  const root = isTooDeep(text) ? undefined : parseTree(text);
  if (!root) return null;
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(root, steps.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return root.offset;
}

const EXPORT = /^[ \t]*(?:export\b|(?:module\.)?exports\b).*/gm;
const WHOLE_EXPORT = /^\s*module\.exports\s*=/;
const NAMES = /[\p{ID_Continue}$]+/gu;

/** Offset of the first export in whose line the name stands. The name is never put into an expression. */
function exportOffset(text: string, name: string): number | null {
  for (const { 0: line, index } of text.matchAll(EXPORT))
    if (line.match(NAMES)?.includes(name) || (name === 'default' && WHOLE_EXPORT.test(line))) return index;
  return null;
}
