/** Files that the host serves, by keys that it made for the files of recipes; it serves nothing else. */
import { type ErrorCode, type ErrorFacts, MESSAGES } from '../../../model/error-messages.ts';
import { ToolError } from '../../../model/errors.ts';
import { MODULE_KIND } from '../../../model/page-module.ts';
import { userCode } from '../../user-code/user-code.ts';
import type { ImportedModule, PayloadFile, Platform, StackLocation } from '../common/platform.ts';
import { placeIn, readError, reading } from '../common/reading.ts';

// Taken before user code loads.
const get = fetch;
const { parse } = JSON;

/** A user's module, bundled for pages. */
const moduleOf = (key: string): string => `modules/${key}.mjs`;

/** Ways to what the host serves. */
interface Served {
  servedUrl(path: string): string;
  /** Address of what is imported. */
  moduleUrl(path: string): string;
  /** The place in the user's files that a line and column of a bundled module come from. */
  positionOf(module: string, place: StackLocation): StackLocation | null;
  importText(address: string): Promise<{ default?: unknown }>;
}

export function servedSources({ servedUrl, moduleUrl, positionOf, importText }: Served): Platform['sources'] {
  async function fetched(file: PayloadFile, headers: Record<string, string> = {}): Promise<Response> {
    const response = await get(servedUrl(`files/${file.file}`), { headers });
    if (response.ok) return response;
    if (response.status === 404) throw new ToolError('file-missing', { file: file.name });
    const { facts } = parse(await response.text()) as { facts: ErrorFacts };
    throw ToolError.again('file-unreadable', { ...facts, file: file.name });
  }

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
    text: (file) => reading(file, async () => (await fetched(file)).text()),
    textRange: (file, offset, length) =>
      reading(file, async () => {
        const range = `bytes=${offset}-${offset + length - 1}`;
        return (await fetched(file, { range })).text();
      }),
    bytes: (file) => reading(file, async () => new Uint8Array(await (await fetched(file)).arrayBuffer())),
    async *chunks(file) {
      try {
        const reader = (await fetched(file)).body?.getReader();
        for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
          yield part.value;
      } catch (error) {
        throw readError(error, file);
      }
    },
    importModule: (module) => imported(module, ''),
    importAgain: (module) => {
      evaluations += 1;
      return imported(module, `?fresh=${evaluations}`);
    },
    stackLocation(stack, { file }) {
      const place = placeIn(stack, moduleOf(file));
      return place && positionOf(moduleOf(file), place);
    },
    shownPath: (file) => file,
  };
}
