/**
 * Outcomes of putting platform objects into IndexedDB, as observed on Chromium 143, Firefox 153 and WebKitGTK 2.50.
 * Nothing is moved into a database, and only pages have a database.
 */
import type { PlatformPost, PlatformPosts, PlatformTable } from '../../model/rules/platform-posts.ts';

const CLONED = [{ as: ['cloned'] }] as const satisfies readonly PlatformPost[];
const REFUSED = [{ as: ['refused'] }] as const satisfies readonly PlatformPost[];
const APART = [{ as: ['cloned', 'apart'] }] as const satisfies readonly PlatformPost[];

const everywhere = { chromium: CLONED, firefox: CLONED, webkit: CLONED } as const satisfies PlatformPosts;
const apart = { chromium: CLONED, firefox: CLONED, webkit: APART } as const satisfies PlatformPosts;
/** Objects that exist in memory only: frames, code, ports. */
const refused = { chromium: REFUSED, firefox: REFUSED, webkit: REFUSED } as const satisfies PlatformPosts;
/** The tested build of WebKit does not have the class; other builds do. */
const exceptWebKit = { chromium: REFUSED, firefox: REFUSED } as const satisfies PlatformPosts;
const stored = { chromium: CLONED, firefox: CLONED } as const satisfies PlatformPosts;

export const DATABASE_POSTS: PlatformTable = {
  Blob: apart,
  File: apart,
  FileList: apart,
  DOMException: apart,
  QuotaExceededError: { chromium: [{ versions: '<144.0.0', as: ['refused'] }] },
  WebTransportError: exceptWebKit,
  GPUPipelineError: { chromium: REFUSED },
  ImageData: everywhere,
  ImageBitmap: { chromium: CLONED, firefox: REFUSED, webkit: APART },
  OffscreenCanvas: refused,
  MessagePort: refused,
  DOMPoint: apart,
  DOMPointReadOnly: apart,
  DOMRect: apart,
  DOMRectReadOnly: apart,
  DOMQuad: apart,
  DOMMatrix: apart,
  DOMMatrixReadOnly: apart,
  VideoFrame: refused,
  AudioData: refused,
  EncodedVideoChunk: refused,
  EncodedAudioChunk: refused,
  RTCCertificate: stored,
  RTCDataChannel: exceptWebKit,
  MediaStreamTrack: refused,
  CanvasCaptureMediaStreamTrack: { chromium: REFUSED, webkit: REFUSED },
  MediaSourceHandle: { chromium: REFUSED },
  FileSystemFileHandle: stored,
  FileSystemDirectoryHandle: stored,
  CryptoKey: apart,
  ReadableStream: refused,
  WritableStream: refused,
  TransformStream: refused,
  Module: refused,
  Memory: refused,
  CropTarget: { chromium: REFUSED },
};
