/** Values of the platform, for a page: built by name, as far as the browser has their classes, and posted within the page. */
import * as objects from '../../../fixtures/payloads/platform-objects.js';

class Point extends DOMPoint {}
/** Of the user's, by a name of the platform. */
const ImageDataOfMine = {
  ImageData: class {
    width = 3;
  },
}.ImageData;

const exception = (text) => new DOMException(text, 'AbortError');
const twice = (one) => ({ first: one, second: one });
const canvas = () => document.createElement('canvas');
const element = () => document.createElement('p');
const context = () => canvas().getContext('2d');
const svg = () => document.createElementNS('http://www.w3.org/2000/svg', 'svg');
const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Classes without steps, and odd objects of those with steps. */
const OTHERS = {
  element,
  text: () => document.createTextNode('a'),
  image: () => new Image(),
  document: () => document,
  window: () => window,
  location: () => location,
  history: () => history,
  navigator: () => navigator,
  screen: () => screen,
  storage: () => localStorage,
  performance: () => performance,
  mark: () => performance.mark('a'),
  selection: () => getSelection(),
  range: () => document.createRange(),
  nodes: () => document.querySelectorAll('p'),
  tokens: () => element().classList,
  attributes: () => element().attributes,
  dataset: () => element().dataset,
  style: () => element().style,
  sheet: () => new CSSStyleSheet(),
  rects: () => element().getClientRects(),
  media: () => matchMedia('all'),
  walker: () => document.createTreeWalker(document),
  shadow: () => element().attachShadow({ mode: 'open' }),
  event: () => new Event('a'),
  customEvent: () => new CustomEvent('a', { detail: { a: 1 } }),
  messageEvent: () => new MessageEvent('a'),
  errorEvent: () => new ErrorEvent('a'),
  eventTarget: () => new EventTarget(),
  ownTarget: () =>
    new (class extends EventTarget {
      x = 1;
    })(),
  controller: () => new AbortController(),
  signal: () => new AbortController().signal,
  url: () => new URL('http://a/'),
  query: () => new URLSearchParams('a=1'),
  headers: () => new Headers({ a: 'b' }),
  request: () => new Request('/a'),
  response: () => new Response('a'),
  form: () => new FormData(),
  reader: () => new FileReader(),
  transfer: () => new DataTransfer(),
  xhr: () => new XMLHttpRequest(),
  broadcast: () => new BroadcastChannel('a'),
  encoder: () => new TextEncoder(),
  decoder: () => new TextDecoder(),
  gzip: () => new CompressionStream('gzip'),
  streamReader: () => new ReadableStream().getReader(),
  crypto: () => crypto,
  subtle: () => crypto.subtle,
  path: () => new Path2D(),
  context,
  gradient: () => context().createLinearGradient(0, 0, 1, 1),
  metrics: () => context().measureText('a'),
  audioBuffer: () => new AudioBuffer({ length: 8, sampleRate: 8000 }),
  colorSpace: () => new VideoColorSpace({ primaries: 'bt709' }),
  mutations: () => new MutationObserver(() => undefined),
  resizes: () => new ResizeObserver(() => undefined),
  keyRange: () => IDBKeyRange.only(1),
  cue: () => new VTTCue(0, 1, 'a'),
  font: () => new FontFace('a', 'local(a)'),
  svgMatrix: () => svg().createSVGMatrix(),
  stream: () => new MediaStream(),
  mediaSource: () => new MediaSource(),
  connection: () => new RTCPeerConnection(),
  description: () => new RTCSessionDescription({ type: 'offer', sdp: '' }),
  instance: () => new WebAssembly.Instance(new WebAssembly.Module(wasm)),
  table: () => new WebAssembly.Table({ element: 'anyfunc', initial: 1 }),
  global: () => new WebAssembly.Global({ value: 'i32' }, 1),
  ownMemory: () => new WebAssembly.Memory({ initial: 1 }),
  reactElement: () => Object.assign(element(), { __fiber: { memo: { deep: true } } }),
  closedFrame: () => {
    const frame = objects.VideoFrame();
    frame.close();
    return frame;
  },
  closedBitmap: async () => {
    const bitmap = await objects.ImageBitmap();
    bitmap.close();
    return bitmap;
  },
  labelledPixels: () => Object.assign(objects.ImageData(), { label: 'a' }),
  labelledPoint: () => Object.assign(new DOMPoint(1, 2), { label: { a: 1 } }),
  frozenPoint: () => Object.freeze(new DOMPoint(1, 2)),
  ownPoint: () => new Point(1, 2),
  pointLike: () => Object.create(DOMPoint.prototype),
  ownImageData: () => new ImageDataOfMine(),
  memberOfSet: () => new Set([new DOMRect(1, 2, 3, 4), 'a']),
  keyOfMap: () => new Map([[new DOMRect(1, 2, 3, 4), 'a']]),
  fieldOfClass: () =>
    new (class Shape {
      box = new DOMRect(1, 2, 3, 4);
    })(),
  keyPair: () => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']),
  matrixInSpace: () => new DOMMatrix(Array.from({ length: 16 }, (_, i) => i)),
  exceptionBeyondAscii: () => exception('caf\u00e9'),
  exceptionNameBeyondAscii: () => new DOMException('a', 'caf\u00e9'),
  exceptionHalf: () => exception('half \ud83d'),
  exceptionWhole: () => exception('whole \ud83d\ude00'),
  errorHalf: () => new Error('half \ud83d'),
  errorTwice: () => twice(new Error('a')),
  causeObject: () => new Error('a', { cause: { code: 5 } }),
  causeError: () => new Error('a', { cause: new TypeError('b') }),
  causeText: () => new Error('a', { cause: 'b' }),
  causeNumber: () => new Error('a', { cause: 5 }),
  ownQuotaError: () => new (class QuotaExceededError extends Error {})('a'),
};

const FACTORIES = Object.fromEntries([
  ...Object.entries(objects).flatMap(([name, make]) => [
    [name, make],
    [`${name}InMap`, async () => new Map([['key', [await make()]]])],
    [`${name}Twice`, async () => twice(await make())],
  ]),
  ...Object.entries(OTHERS),
]);

const ALL = Object.keys(FACTORIES);

/** Of more keys than these a description tells some together. */
const KEYS = 50;

const LIMIT_MS = 5000;

/** A service of the browser (files, certificates, bitmaps) may never answer: such a value is left out. */
function inTime(value) {
  if (typeof value?.then !== 'function') return value;
  return Promise.race([value, new Promise((_, reject) => setTimeout(reject, LIMIT_MS))]);
}

/** Those of these names that the browser has the classes for, in parts. */
export async function made(names = ALL) {
  const parts = {};
  for (const name of names) {
    const key = `part${Math.floor(ALL.indexOf(name) / KEYS)}`;
    try {
      const value = await inTime(FACTORIES[name]());
      if (value != null) parts[key] = { ...parts[key], [name]: value };
    } catch {
      // No such class, or no answer.
    }
  }
  return parts;
}

/** Names of those that a port takes. */
export async function accepted(names) {
  const { port1, port2 } = new MessageChannel();
  const taken = [];
  for (const part of Object.values(await made(names)))
    for (const [name, value] of Object.entries(part))
      try {
        port1.postMessage(value);
        taken.push(name);
      } catch {
        // As it is told.
      }
  port2.close();
  return taken;
}
