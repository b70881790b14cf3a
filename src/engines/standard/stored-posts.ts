/**
 * Outcomes of writing platform objects into a file by `v8.serialize`, as seen on Node 20.20, 22.23, 24.21 and 26.10,
 * Bun 1.2.20, 1.3.14, 1.4.0 and 1.4.5, Deno 2.5 to 2.9.6. Nothing is moved into a file; pages have no files.
 */
import type { PlatformPost, PlatformPosts, PlatformTable } from '../../model/rules/platform-posts.ts';

const CLONED = [{ as: ['cloned'] }] as const satisfies readonly PlatformPost[];
const REFUSED = [{ as: ['refused'] }] as const satisfies readonly PlatformPost[];
const EMPTIED = [{ as: ['emptied'] }] as const satisfies readonly PlatformPost[];
const AS_ERROR = [{ as: ['cloned', 'other-class'] }] as const satisfies readonly PlatformPost[];
const OLD_BUN: PlatformPost = { versions: '<1.4.0', as: ['cloned', 'apart'] };

/** Classes that only browsers have. */
const OF_PAGES: PlatformPosts = {};
const ofDeno = { deno: EMPTIED } as const satisfies PlatformPosts;

/** Classes in C++ in Node 20, later in JavaScript: then v8.serialize sees only their own properties. */
const written: readonly PlatformPost[] = [
  { versions: '<21.0.0', as: ['refused'] },
  { versions: '>=22.23.0', as: ['emptied'] },
];
const blob = {
  node: written,
  bun: [{ versions: '<1.2.22', as: ['lost'] }, OLD_BUN, ...CLONED],
  deno: EMPTIED,
} as const satisfies PlatformPosts;
const stream = { node: written, bun: REFUSED, deno: EMPTIED } as const satisfies PlatformPosts;
const refused = { node: REFUSED, bun: REFUSED, deno: REFUSED } as const satisfies PlatformPosts;

export const STORED_POSTS: PlatformTable = {
  Blob: blob,
  File: blob,
  FileList: OF_PAGES,
  DOMException: {
    node: [
      { versions: '<22.13.0 || >=24.0.0 <24.1.0', as: ['emptied'] },
      { versions: '>=22.20.0 <24.0.0 || >=24.21.0', as: ['cloned', 'other-class'] },
    ],
    bun: [OLD_BUN, ...CLONED],
    deno: AS_ERROR,
  },
  QuotaExceededError: { node: AS_ERROR, deno: AS_ERROR },
  WebTransportError: OF_PAGES,
  GPUPipelineError: { deno: AS_ERROR },
  ImageData: ofDeno,
  ImageBitmap: ofDeno,
  OffscreenCanvas: ofDeno,
  MessagePort: {
    node: REFUSED,
    bun: REFUSED,
    // Later versions refuse it if node:worker_threads has given it own functions.
    deno: [{ versions: '<2.6.0', as: ['emptied'] }],
  },
  DOMPoint: ofDeno,
  DOMPointReadOnly: ofDeno,
  DOMRect: ofDeno,
  DOMRectReadOnly: ofDeno,
  DOMQuad: ofDeno,
  DOMMatrix: ofDeno,
  DOMMatrixReadOnly: ofDeno,
  VideoFrame: OF_PAGES,
  AudioData: OF_PAGES,
  EncodedVideoChunk: OF_PAGES,
  EncodedAudioChunk: OF_PAGES,
  RTCCertificate: OF_PAGES,
  RTCDataChannel: OF_PAGES,
  MediaStreamTrack: OF_PAGES,
  CanvasCaptureMediaStreamTrack: OF_PAGES,
  MediaSourceHandle: OF_PAGES,
  FileSystemFileHandle: OF_PAGES,
  FileSystemDirectoryHandle: OF_PAGES,
  CryptoKey: {
    node: [
      { versions: '>=22.23.0 <23.0.0', as: ['emptied'] },
      { versions: '<21.0.0 || >=24.21.0', as: ['refused'] },
    ],
    bun: [OLD_BUN, ...CLONED],
    deno: EMPTIED,
  },
  ReadableStream: stream,
  WritableStream: stream,
  TransformStream: stream,
  Module: { ...refused, node: [{ as: ['lost'] }] },
  Memory: refused,
  CropTarget: OF_PAGES,
};
