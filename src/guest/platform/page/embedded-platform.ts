import { ToolError } from '../../../model/errors.ts';
import { userCode } from '../../user-code/user-code.ts';
import { type PageParts, startPart } from '../common/parts.ts';
import { type ImportedModule, type PayloadFile, type Platform, toWorkers } from '../common/platform.ts';
import { placeIn, responseReader } from '../common/reading.ts';
import { webParentEndpoint, webWorkers } from '../common/web.ts';
import { pagePlatform, watchReadBack } from './page-platform.ts';

// Taken before user code loads.
const createUrl = URL.createObjectURL.bind(URL);
const Read = Response;

function embeddedSources({ files }: PageParts): Platform['sources'] {
  const partOf = ({ file, name }: PayloadFile): Blob => {
    const part = files.get(file);
    if (part === undefined) throw new ToolError('file-missing', { file: name });
    return part;
  };
  /** A separate address for each import. */
  const addresses: string[] = [];
  /** Modules that the page was given as text. They can import nothing. */
  const imported = async (file: PayloadFile): Promise<ImportedModule> => {
    const address = createUrl(partOf(file));
    addresses.push(address);
    return { exports: await userCode(() => import(address)), kind: 'esm' };
  };
  return {
    ...responseReader((file, range) => {
      const part = partOf(file);
      return new Read(range ? part.slice(range[0], range[1] + 1) : part);
    }),
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
}

/** A worker of the playground without a server, and the workers that it starts. It lacks frames, perhaps an origin. */
export const embeddedPage = (parts: PageParts): Platform => ({
  ...pagePlatform,
  peers: toWorkers(webWorkers((entry) => startPart(parts, entry))),
  parentEndpoint: webParentEndpoint,
  mayBlock: true,
  sources: embeddedSources(parts),
  refused: {
    profile: 'there is no profiler for pages',
    memory: 'a page does not see the memory of its process',
  },
  watchReadBack,
});
