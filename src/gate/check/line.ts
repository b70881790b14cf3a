import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isTooDeep } from '../../app/store/document.ts';
import { startOf } from '../../machine/given-file.ts';
import type { Recipe } from '../../model/report/recipe.ts';

/** Maximum size: reviews do not show larger files either. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Line of the value in the user's file, counted from 1, for annotations. Null if the file is large or binary. */
export function lineOfValue(recipe: Recipe, steps: readonly (string | number)[]): number | null {
  const { build } = recipe;
  if (build.form === 'ndjson') return build.line;
  if (build.form !== 'json') return build.form === 'bytes' ? null : 1;
  const text = startOf(build.file, MAX_BYTES + 1);
  if (text === null || Buffer.byteLength(text) > MAX_BYTES) return null;
  return text.slice(0, jsonOffset(text, steps) ?? 0).split('\n').length;
}

/** Offset of the value at the steps, or of its nearest parent in the text (an envelope adds steps that no file has). */
function jsonOffset(text: string, steps: readonly (string | number)[]): number | null {
  // The parser is recursive.
  const root = isTooDeep(text) ? undefined : parseTree(text);
  if (!root) return null;
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(root, steps.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return root.offset;
}
