/** What a page that came through the proxy needs besides: word of the workers that it starts, and no dialogs. */
import { orElse } from '../../model/or-else.ts';
import { type NewWorker, PAGE_MESSAGES, type SocketTapSettings } from '../../model/recording/page-tap.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  objectPrototype,
  startsWith,
} from '../realm/intrinsics.ts';
import { recordText } from '../records/record-text.ts';
import type { Send } from './outbox.ts';
import { passOn } from './socket.ts';
import { hrefFrom } from './worker-address.ts';
import { scriptsWithRecorder } from './worker-scripts.ts';

/** What is done when the page starts a worker. */
export interface WorkerStarts {
  /** What the class is called with in the place of what the page gave. */
  given(args: unknown[]): unknown[];
  /** @param address as `addressFrom` has it */
  started(address: string, options: unknown): void;
}

/** `type` of the options, where reading it runs no code of the page's. */
function typeIn(options: unknown): NewWorker[1] {
  if (typeof options !== 'object' || options === null) return 'classic';
  const found = getOwnPropertyDescriptor(options, 'type');
  if (found === undefined) return getPrototypeOf(options) === objectPrototype ? 'classic' : null;
  return typeof found.value !== 'string' ? null : found.value === 'module' ? 'module' : 'classic';
}

/** @param missed a worker that the recorder cannot be put into */
export function workerStarts(settings: SocketTapSettings, send: Send, missed: () => void): WorkerStarts {
  const scriptWith = scriptsWithRecorder(settings.scripts);
  let isPassingOn = false;
  const changed = (given: unknown, options: unknown): string | null => {
    const address = hrefFrom(given);
    if (address === null || !(startsWith(address, 'blob:') || startsWith(address, 'data:'))) return null;
    const type = builtInsAreIntact() ? typeIn(options) : null;
    const other = type === null ? null : orElse(() => scriptWith(address, type === 'module'), null);
    if (other === null) missed();
    return other;
  };
  return {
    given(args) {
      // Before the worker says anything.
      if (!isPassingOn) passOn(settings, send);
      isPassingOn = true;
      const address = orElse(() => changed(args[0], args[1]), null);
      return address === null ? args : args.length > 1 ? [address, args[1]] : [address];
    },
    started(address, options) {
      const told: NewWorker = [address, orElse(() => typeIn(options), null)];
      send(PAGE_MESSAGES.worker + recordText(told));
    },
  };
}

const ANSWERS = { __proto__: null, alert: undefined, confirm: false, prompt: null, print: undefined };

/** As if each dialog were closed at once: nobody sees it. */
export function closeDialogs(): void {
  for (const name in ANSWERS) {
    const found = getOwnPropertyDescriptor(globalThis, name);
    if (typeof found?.value !== 'function') continue;
    const answer: unknown = ANSWERS[name as 'alert'];
    const value = new Proxy(found.value as () => unknown, { apply: () => answer });
    defineProperty(globalThis, name, { ...found, value });
  }
}
