/** Time that user code spends in reading pixels back from canvases. */
import { now } from '../common/clock.ts';
import type { ReadBack } from '../common/platform.ts';

const METHODS: readonly [owner: string, method: string][] = [
  ['CanvasRenderingContext2D', 'getImageData'],
  ['OffscreenCanvasRenderingContext2D', 'getImageData'],
  ['WebGLRenderingContext', 'readPixels'],
  ['WebGL2RenderingContext', 'readPixels'],
];

type Method = (...args: unknown[]) => unknown;

// Taken before user code loads.
const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;

/** The methods are replaced until it stops. */
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
