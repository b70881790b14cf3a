/** Scripts of workers that do not come through the proxy, with the recorder in front: those of blob: and data: addresses. */
import { isStrict, startOf } from '../../core/recording/injection/worker-script.ts';
import { orElse } from '../../model/or-else.ts';
import {
  apply,
  create,
  getOwnPropertyDescriptor,
  indexOf,
  slice,
  startsWith,
  unbound,
} from '../realm/intrinsics.ts';
import { watchCalls } from './replace.ts';

const { atob: decoded, btoa: encoded, decodeURIComponent: decode, encodeURIComponent: encode } = globalThis;
const Blobs = globalThis.Blob;
const { createObjectURL: addressOfBlob } = URL;
const typeOfBlob = getOwnPropertyDescriptor(Blob.prototype, 'type')!.get!;

type Method = (this: object, ...args: unknown[]) => void;
const { XMLHttpRequest: Request } = globalThis as {
  XMLHttpRequest?: { new (): object; prototype: Record<'open' | 'send', Method> };
};
const open = Request && unbound(Request.prototype.open);
const ask = Request && unbound(Request.prototype.send);
const answerOf = Request && getOwnPropertyDescriptor(Request.prototype, 'responseText')?.get;

function textAt(address: string): string {
  const request = new Request!();
  open!(request, 'GET', address, false);
  ask!(request);
  return apply(answerOf!, request, []) as string;
}

/** What the page has made addresses of, as long as they lead to it. */
function watchedBlobs(): Record<string, object> {
  const blobs = create(null) as Record<string, object>;
  watchCalls(URL, 'createObjectURL', {
    called(_receiver, [object], _patch, _from, _to, address) {
      // A Blob by its slot.
      if (orElse(() => apply(typeOfBlob, object, []), null) !== null)
        blobs[address as string] = object as object;
    },
  });
  watchCalls(URL, 'revokeObjectURL', {
    before(_receiver, [address]) {
      if (typeof address === 'string') delete blobs[address];
    },
  });
  return blobs;
}

/** @param scripts address of the recorder, without its end @returns another address; null for one of no such script */
export function scriptsWithRecorder(scripts: string): (address: string, isModule: boolean) => string | null {
  const blobs = watchedBlobs();
  let count = 0;
  /** The text in front of a script, of a length that can be divided by three: so can its base64. */
  const before = (isModule: boolean, strict: boolean): string => {
    const name = `${scripts}${count++}`;
    let { length } = startOf(`${name}-000.js`, isModule, strict);
    length += (3 - (length % 3)) % 3;
    const start = startOf(`${name}-${length}.js`, isModule, strict);
    return start + slice('  ', 0, length - start.length);
  };
  const ofBlob = (address: string, isModule: boolean): string | null => {
    const blob = blobs[address];
    if (blob === undefined) return null;
    const strict = !isModule && orElse(() => isStrict(textAt(address)), false);
    const type = apply(typeOfBlob, blob, []) as string;
    return addressOfBlob(new Blobs([before(isModule, strict), blob as Blob], { type }));
  };
  const ofData = (address: string, isModule: boolean): string => {
    const at = indexOf(address, ',') + 1;
    const head = slice(address, 0, at);
    const body = slice(address, at);
    const inBase64 = /;\s*base64\s*,$/i.test(head);
    const text = inBase64 ? decoded(decode(body)) : decode(body);
    const start = before(isModule, !isModule && isStrict(text));
    return head + (inBase64 ? encoded(start) : encode(start)) + body;
  };
  return (address, isModule) => (startsWith(address, 'blob:') ? ofBlob : ofData)(address, isModule);
}
