import { ToolError } from '../../../model/errors.ts';
import { userCode } from '../../user-code/user-code.ts';
import { pageParts, startPart } from '../common/parts.ts';
import { type ImportedModule, type PayloadFile, type Platform, toWorkers } from '../common/platform.ts';
import { placeIn, reading } from '../common/reading.ts';
import { webParentEndpoint, webWorkers } from '../common/web.ts';
import { pagePlatform } from './page-platform.ts';
import { watchReadBack } from './read-back.ts';

// Taken before user code loads.
const createUrl = URL.createObjectURL.bind(URL);

/** A separate address for each import. */
let addresses: string[] = [];

function findPart({ file, name }: PayloadFile): Blob {
  const part = pageParts().files.get(file);
  if (part === undefined) throw new ToolError('file-missing', { file: name });
  return part;
}

/** Modules that the page was given as text. They can import nothing. */
async function imported(file: PayloadFile): Promise<ImportedModule> {
  const address = createUrl(findPart(file));
  addresses = [...addresses, address];
  return { exports: await userCode(() => import(address)), kind: 'esm' };
}

const sources: Platform['sources'] = {
  text: (file) => reading(file, () => findPart(file).text()),
  textRange: (file, offset, length) =>
    reading(file, () =>
      findPart(file)
        .slice(offset, offset + length)
        .text(),
    ),
  bytes: (file) => reading(file, async () => new Uint8Array(await findPart(file).arrayBuffer())),
  chunks: async function* (file) {
    yield await sources.bytes(file);
  },
  importModule: imported,
  importAgain: imported,
  stackLocation(stack) {
    for (const address of addresses) {
      const found = placeIn(stack, address);
      if (found) return found;
    }
    return null;
  },
  shownPath: (file) => file,
};

/** A worker of the playground without a server, and the workers that it starts. It lacks frames, perhaps an origin. */
export const embeddedPage: Platform = {
  ...pagePlatform,
  peers: toWorkers(webWorkers((entry) => startPart(pageParts(), entry))),
  parentEndpoint: webParentEndpoint,
  mayBlock: true,
  sources,
  refused: {
    profile: 'there is no profiler for pages',
    memory: 'a page does not see the memory of its process',
  },
  watchReadBack,
};
