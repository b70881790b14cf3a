import { type ErrorCode, type ErrorFacts, MESSAGES } from '../../../model/error-messages.ts';
import { ToolError } from '../../../model/errors.ts';
import { MODULE_KIND } from '../../../model/page-module.ts';
import { userCode } from '../../user-code/user-code.ts';
import type { ImportedModule, PayloadFile, SourceReader, StackLocation } from '../common/source-reader.ts';
import { moduleAddressOf } from './served.ts';

// Taken before user code loads.
const get = fetch;
const SyncRequest = XMLHttpRequest;
const { parse } = JSON;

let evaluations = 0;

/** The host bundles a module when it is asked for. @throws ToolError of the build */
async function built({ file, name }: PayloadFile): Promise<ImportedModule['kind']> {
  const response = await get(moduleAddressOf(file), { method: 'HEAD' });
  if (response.ok) return response.headers.get(MODULE_KIND) === 'commonjs' ? 'commonjs' : 'esm';
  if (response.status === 404) throw new ToolError('file-missing', { file: name });
  const answer = await get(moduleAddressOf(file));
  const { code, facts } = parse(await answer.text()) as { code: ErrorCode; facts: ErrorFacts };
  throw ToolError.again(Object.hasOwn(MESSAGES, code) ? code : 'internal', { file: name, ...facts });
}

async function imported(module: PayloadFile, query: string): Promise<ImportedModule> {
  const kind = await built(module);
  const address = moduleAddressOf(module.file) + query;
  const namespace = await userCode(() => import(address) as Promise<{ default?: unknown }>);
  return { exports: kind === 'commonjs' ? namespace.default : namespace, kind };
}

/** The host has the source map. Errors are created, and read, at once: the answer is waited for. */
function stackLocation(stack: string, { file }: PayloadFile): StackLocation | null {
  const address = moduleAddressOf(file);
  const at = stack.indexOf(address);
  const position = /^(?:\?fresh=\d+)?:(\d+:\d+)/.exec(stack.slice(at + address.length));
  if (at === -1 || !position) return null;
  try {
    const request = new SyncRequest();
    request.open('GET', `${address}/${position[1]}`, false);
    request.send();
    return parse(request.responseText) as StackLocation | null;
  } catch {
    return null;
  }
}

/** Modules of the user's, through `import`: the host bundles them with all that they import. */
export const moduleLoader: Pick<
  SourceReader,
  'importModule' | 'importAgain' | 'stackLocation' | 'shownPath'
> = {
  importModule: (module) => imported(module, ''),
  importAgain: (module) => {
    evaluations += 1;
    return imported(module, `?fresh=${evaluations}`);
  },
  stackLocation,
  shownPath: (file) => file,
};
