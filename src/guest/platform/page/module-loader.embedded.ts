import { ToolError } from '../../../model/errors.ts';
import { userCode } from '../../user-code/user-code.ts';
import { partNamed } from '../common/parts.ts';
import type { ImportedModule, PayloadFile, SourceReader, StackLocation } from '../common/source-reader.ts';

// Taken before user code loads.
const addressOf = URL.createObjectURL.bind(URL);

/** Each import has an address of its own. */
let addresses: string[] = [];

async function imported({ file, name }: PayloadFile): Promise<ImportedModule> {
  const part = partNamed(file);
  if (part === undefined) throw new ToolError('file-missing', { file: name });
  const address = addressOf(part);
  addresses = [...addresses, address];
  return { exports: await userCode(() => import(address)), kind: 'esm' };
}

function stackLocation(stack: string): StackLocation | null {
  for (const address of addresses) {
    const at = stack.indexOf(address);
    const found = at < 0 ? null : /^:(\d+):(\d+)/.exec(stack.slice(at + address.length));
    if (found) return { line: Number(found[1]), column: Number(found[2]) };
  }
  return null;
}

/** Modules that the page was given as text. They can import nothing. */
export const moduleLoader: Pick<
  SourceReader,
  'importModule' | 'importAgain' | 'stackLocation' | 'shownPath'
> = { importModule: imported, importAgain: imported, stackLocation, shownPath: (file) => file };
