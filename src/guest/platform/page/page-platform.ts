import { openClone } from '../../../channels/structured-clone/guest/everywhere.ts';
import { type ErrorCode, type ErrorFacts, MESSAGES, ToolError } from '../../../model/errors.ts';
import { MODULE_KIND } from '../../../model/run/runtime.ts';
import { userCode } from '../../user-code/user-code.ts';
import { now } from '../common/clock.ts';
import { type PageParts, startPart } from '../common/parts.ts';
import {
  type ImportedModule,
  type Pauses,
  type PayloadFile,
  type Platform,
  toWorkers,
} from '../common/platform.ts';
import { placeIn, responseReader } from '../common/reading.ts';
import { webBroadcastEndpoint, webParentEndpoint, webPortEndpoint, webWorkers } from '../common/web.ts';

// Taken before user code loads.
const print = console.error.bind(console);
const get = fetch;
const { parse } = JSON;
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];

port2.onmessage = () => waiting.shift()?.();

/** Parts that pages and their workers share, with or without a server, and workers of workerd. */
export const pagePlatform = {
  local: { 'structured-clone': openClone },
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: webBroadcastEndpoint,
  collectGarbage: () => (globalThis as { gc?: () => void }).gc?.(),
  /** A timer would wait 4 ms (HTML, timer initialisation steps). */
  turnOfEventLoop: () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port1.postMessage(null);
    }),
  compiling: (work) => work(),
  builtIns: [],
  onUncaught: (listener) => {
    addEventListener('error', ({ error }) => listener(error));
    addEventListener('unhandledrejection', ({ reason }) => listener(reason));
  },
  printError: (text) => print(text),
} satisfies Partial<Platform>;

const METHODS: readonly [owner: string, method: string][] = [
  ['CanvasRenderingContext2D', 'getImageData'],
  ['OffscreenCanvasRenderingContext2D', 'getImageData'],
  ['WebGLRenderingContext', 'readPixels'],
  ['WebGL2RenderingContext', 'readPixels'],
];

type Method = (...args: unknown[]) => unknown;

// Taken before user code loads.
const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;

/** Measures the time that user code spends in these methods, which are replaced until it stops. */
export function watchReadBack(): { stop(): Pauses } {
  const seen: Pauses = { count: 0, ns: 0 };
  const undo: (() => void)[] = [];
  for (const [owner, name] of METHODS) {
    const { prototype } = (Reflect.get(globalThis, owner) ?? {}) as { prototype?: object };
    const found = prototype && getOwnPropertyDescriptor(prototype, name);
    if (!prototype || !found || typeof found.value !== 'function') continue;
    const method = found.value as Method;
    function value(this: unknown, ...args: unknown[]): unknown {
      const began = now();
      try {
        return apply(method, this, args);
      } finally {
        seen.count += 1;
        seen.ns += now() - began;
      }
    }
    defineProperty(prototype, name, { ...found, value });
    undo.push(() => defineProperty(prototype, name, found));
  }
  return {
    stop: () => {
      for (const one of undo) one();
      return seen;
    },
  };
}

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

function embeddedSources({ files }: PageParts): Platform['sources'] {
  const partOf = ({ file, name }: PayloadFile): Blob => {
    const part = files.get(file);
    if (part === undefined) throw new ToolError('file-missing', { file: name });
    return part;
  };
  // Taken before user code loads.
  const createUrl = URL.createObjectURL.bind(URL);
  const Read = Response;
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
