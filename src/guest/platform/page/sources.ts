/** Files that the host serves, by keys that it made for the files of recipes; it serves nothing else. */
import { type ErrorCode, type ErrorFacts, MESSAGES, ToolError } from '../../../model/errors.ts';
import { MODULE_KIND } from '../../../model/run/runtime.ts';
import { userCode } from '../../user-code/user-code.ts';
import type { ImportedModule, PayloadFile, Platform } from '../common/platform.ts';
import { placeIn, responseReader } from '../common/reading.ts';

// Taken before user code loads.
const get = fetch;
const { parse } = JSON;

const moduleOf = (key: string): string => `modules/${key}.mjs`;

interface Served {
  servedUrl(path: string): string;
  moduleUrl(path: string): string;
  importText(address: string): Promise<{ default?: unknown }>;
}

export function servedSources({ servedUrl, moduleUrl, importText }: Served): Platform['sources'] {
  let evaluations = 0;

  /** The host bundles a module at the first request. @throws ToolError if it cannot be bundled */
  async function built({ file, name }: PayloadFile): Promise<ImportedModule['kind']> {
    const response = await get(servedUrl(moduleOf(file)), { method: 'HEAD' });
    if (response.ok) return response.headers.get(MODULE_KIND) === 'commonjs' ? 'commonjs' : 'esm';
    if (response.status === 404) throw new ToolError('file-missing', { file: name });
    const answer = await get(servedUrl(moduleOf(file)));
    const { code, facts } = parse(await answer.text()) as { code: ErrorCode; facts: ErrorFacts };
    throw ToolError.again(Object.hasOwn(MESSAGES, code) ? code : 'internal', { file: name, ...facts });
  }

  async function imported(module: PayloadFile, query: string): Promise<ImportedModule> {
    const kind = await built(module);
    const address = moduleUrl(moduleOf(module.file)) + query;
    const namespace = await userCode(() => importText(address));
    return { exports: kind === 'commonjs' ? namespace.default : namespace, kind };
  }

  return {
    ...responseReader(async ({ file, name }, range) => {
      const headers: Record<string, string> = range ? { range: `bytes=${range[0]}-${range[1]}` } : {};
      const response = await get(servedUrl(`files/${file}`), { headers });
      if (response.ok) return response;
      if (response.status === 404) throw new ToolError('file-missing', { file: name });
      const { facts } = parse(await response.text()) as { facts: ErrorFacts };
      throw ToolError.again('file-unreadable', { ...facts, file: name });
    }),
    importModule: (module) => imported(module, ''),
    importAgain: (module) => {
      evaluations += 1;
      return imported(module, `?fresh=${evaluations}`);
    },
    /** The place in the bundle. The host has its source map: it puts the place in the user's file there. */
    stackLocation(stack, { file }) {
      const place = placeIn(stack, moduleOf(file));
      return place && { ...place, file: moduleOf(file) };
    },
    shownPath: (file) => file,
  };
}
