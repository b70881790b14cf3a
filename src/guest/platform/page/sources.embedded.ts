/** Files that were dropped on the page, and texts that were pasted. */
import { ToolError } from '../../../model/errors.ts';
import { messageOf } from '../../user-code/thrown.ts';
import { userCode } from '../../user-code/user-code.ts';
import { pageParts } from '../common/parts.ts';
import type { ImportedModule, PayloadFile, Platform } from '../common/platform.ts';

// Taken before user code loads.
const addressOf = URL.createObjectURL.bind(URL);

/** Each import has an address of its own. */
let addresses: string[] = [];

function partOf({ file, name }: PayloadFile): Blob {
  const part = pageParts().files.get(file);
  if (part === undefined) throw new ToolError('file-missing', { file: name });
  return part;
}

async function reading<T>(file: PayloadFile, read: (part: Blob) => Promise<T>): Promise<T> {
  const part = partOf(file);
  try {
    return await read(part);
  } catch (error) {
    // A text that is longer than a string of this engine may be.
    const code = error instanceof RangeError ? 'value-too-large' : 'file-unreadable';
    throw new ToolError(code, { file: file.name, detail: messageOf(error) });
  }
}

/** Modules that the page was given as text. They can import nothing. */
async function imported(file: PayloadFile): Promise<ImportedModule> {
  const address = addressOf(partOf(file));
  addresses = [...addresses, address];
  return { exports: await userCode(() => import(address)), kind: 'esm' };
}

export const sources: Platform['sources'] = {
  text: (file) => reading(file, (part) => part.text()),
  textRange: (file, offset, length) => reading(file, (part) => part.slice(offset, offset + length).text()),
  bytes: (file) => reading(file, async (part) => new Uint8Array(await part.arrayBuffer())),
  chunks: async function* (file) {
    yield await sources.bytes(file);
  },
  importModule: imported,
  importAgain: imported,
  stackLocation(stack) {
    for (const address of addresses) {
      const at = stack.indexOf(address);
      const found = at < 0 ? null : /^:(\d+):(\d+)/.exec(stack.slice(at + address.length));
      if (found) return { line: Number(found[1]), column: Number(found[2]) };
    }
    return null;
  },
  shownPath: (file) => file,
};
