import { openClone } from '../../../channels/structured-clone/guest/everywhere.ts';
import { ToolError } from '../../../model/errors.ts';
import { now } from '../common/clock.ts';
import type { Platform, ReadBack } from '../common/platform.ts';
import { webBroadcastEndpoint, webPortEndpoint } from '../common/web.ts';

// Taken before user code loads.
const print = console.error.bind(console);
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];

port2.onmessage = () => waiting.shift()?.();

/** Parts that pages and their workers share, with or without a server, and workers of workerd. */
export const pagePlatform = {
  local: { 'structured-clone': openClone },
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: webBroadcastEndpoint,
  postingChangesValues: false,
  collectGarbage: () => (globalThis as { gc?: () => void }).gc?.(),
  /** A timer would wait 4 ms (HTML, timer initialisation steps). */
  turnOfEventLoop: () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port1.postMessage(null);
    }),
  compiling: (work) => work(),
  /** A guest that can measure its peak does not use this. */
  markPeakMemory: () => {
    throw new ToolError('measure-failed', { detail: 'it does not see the memory of its process' });
  },
  builtIns: [],
  onUncaught: (listener) => {
    addEventListener('error', ({ error }) => listener(error));
    addEventListener('unhandledrejection', ({ reason }) => listener(reason));
  },
  printError: (text) => print(text),
  writeFile: (file) => {
    throw new ToolError('output-unwritable', { file, detail: 'a page writes no files' });
  },
} satisfies Partial<Platform>;

/** Methods by which user code reads pixels back from canvases. */
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
export function watchReadBack(): { stop(): ReadBack } {
  const seen: ReadBack = { calls: 0, ns: 0 };
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
        seen.calls += 1;
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
