/** The files that payloads come from: whether two have equal content, and the line of a value. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isTooDeep } from '../../app/store/documents.ts';
import { startOf, streamOf } from '../../machine/given-file.ts';
import type { Recipe } from '../../model/report/recipe.ts';

/** True for equal bytes, read piece by piece because a payload may be large. False also if a file is missing. */
export async function isSameContent(...files: [string, string]): Promise<boolean> {
  const hashes = files.map(async (file) => {
    if (!(await stat(file)).isFile()) throw new Error('not a regular file');
    const hash = createHash('sha256');
    await pipeline(streamOf(file), hash);
    return hash.digest('hex');
  });
  const [one, other] = await Promise.allSettled(hashes);
  return one!.status === 'fulfilled' && other!.status === 'fulfilled' && one!.value === other!.value;
}

/** True if each recipe is built of one whole file, and both files have equal bytes. */
export async function isSameFile({ build: now }: Recipe, { build: before }: Recipe): Promise<boolean> {
  if (now.form !== before.form || !('file' in now && 'file' in before)) return false;
  if (now.form === 'module' || now.form === 'ndjson') return false;
  return isSameContent(now.file, before.file);
}

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
