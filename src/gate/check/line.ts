/** Line of a value in the file that it comes from. */
import { resolve } from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isTooDeep } from '../../app/store/documents.ts';
import { startOf } from '../../machine/given-file.ts';
import type { Recipe } from '../../model/report/recipe.ts';

type ValuePath = readonly (string | number)[];

/** Maximum size of a file: reviews do not show larger files either. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Line of the value in the user's file, read as text, not run; from 1, for annotations. Null if it is large or binary. */
export function lineOfValue({ build }: Recipe, steps: ValuePath, folder: string): number | null {
  if (build.form === 'ndjson') return build.line;
  if (build.form !== 'json' && build.form !== 'module') return build.form === 'bytes' ? null : 1;
  const file = build.form === 'json' ? build.file : resolve(folder, build.original);
  const text = startOf(file, MAX_BYTES + 1);
  if (text === null || Buffer.byteLength(text) > MAX_BYTES) return null;
  const offset = build.form === 'json' ? jsonOffset(text, steps) : exportOffset(text, build.export);
  return text.slice(0, offset ?? 0).split('\n').length;
}

/** Offset of the first line that exports the name. The name is never put into an expression. */
function exportOffset(text: string, name: string): number | undefined {
  const lines = [...text.matchAll(/^[ \t]*(?:export\b|(?:module\.)?exports\b).*/gm)];
  const isWhole = (line: string) => name === 'default' && /^\s*module\.exports\s*=/.test(line);
  return lines.find(([line]) => line.match(/[\p{ID_Continue}$]+/gu)?.includes(name) || isWhole(line))?.index;
}

/** Offset of the value at the steps, or of its nearest parent in the text (an envelope adds steps that no file has). */
function jsonOffset(text: string, steps: ValuePath): number | null {
  // The parser is recursive.
  const root = isTooDeep(text) ? undefined : parseTree(text);
  if (!root) return null;
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(root, steps.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return root.offset;
}
