/**
 * Platform classes whose objects can be posted: a specification marks them as serializable or transferable. The outcome
 * on each runtime is in a table of engines/standard.
 */

/** Place of an object's bytes, by its getters. */
export type PlatformMemoryPlace =
  /** `data`: a view, which is an own property or a getter. */
  | 'data'
  /** pixels: four bytes for each pixel of `width` and `height`. */
  | 'pixels'
  /** frame: the size that `allocationSize` of a frame returns. */
  | 'frame'
  /** samples: `numberOfFrames` samples for each of `numberOfChannels`, as wide as `format` says. */
  | 'samples'
  | 'byteLength';

export interface PlatformClassFacts {
  /** Specification that marks it. */
  by: string;
  marked: readonly ('serializable' | 'transferable')[];
  /** Getters of the object's state; an object in them is compared by its own state. Absent: no state arrives. */
  state?: readonly string[];
  /** Own properties that the platform gives each object: this name, or its indices. */
  own?: 'data' | 'index';
  memory?: PlatformMemoryPlace;
  /** True if its memory is copied into the message; else both sides use the same memory. */
  isCopied?: boolean;
}

const SERIALIZABLE = { marked: ['serializable'] } as const;
const TRANSFERABLE = { marked: ['transferable'] } as const;
const BOTH = { marked: ['serializable', 'transferable'] } as const;

const HTML = 'HTML';
const FILES = 'File API';
const FILE_SYSTEM = 'File System';
const GEOMETRY = 'Geometry Interfaces';
const WEB_CODECS = 'WebCodecs';
const STREAMS = 'Streams';
const WASM = 'WebAssembly Web API';

const point = { ...SERIALIZABLE, by: GEOMETRY, state: ['x', 'y', 'z', 'w'] } as const;
const rect = { ...SERIALIZABLE, by: GEOMETRY, state: ['x', 'y', 'width', 'height'] } as const;
const MATRIX_FIELDS = 'm11 m12 m13 m14 m21 m22 m23 m24 m31 m32 m33 m34 m41 m42 m43 m44 is2D'.split(' ');
const matrix = { ...SERIALIZABLE, by: GEOMETRY, state: MATRIX_FIELDS } as const;
const chunk = {
  ...SERIALIZABLE,
  by: WEB_CODECS,
  state: ['type', 'timestamp', 'duration', 'byteLength'],
  memory: 'byteLength',
} as const;
const fileHandle = { ...SERIALIZABLE, by: FILE_SYSTEM, state: ['kind', 'name'] } as const;
const exception = { ...SERIALIZABLE, by: 'Web IDL', state: ['name', 'message', 'code'] } as const;
const track = {
  ...TRANSFERABLE,
  ...{ by: 'Media Capture and Streams Extensions', state: ['kind', 'id', 'label', 'enabled', 'readyState'] },
} as const;
const FRAME_FIELDS = [
  'format',
  'timestamp',
  'duration',
  'codedWidth',
  'codedHeight',
  'displayWidth',
] as const;

const CLASSES = {
  Blob: { ...SERIALIZABLE, by: FILES, state: ['size', 'type'] },
  File: { ...SERIALIZABLE, by: FILES, state: ['size', 'type', 'name', 'lastModified'] },
  FileList: { ...SERIALIZABLE, by: FILES, state: ['length'], own: 'index' },
  DOMException: exception,
  QuotaExceededError: { ...exception, state: [...exception.state, 'quota', 'requested'] },
  WebTransportError: { ...exception, by: 'WebTransport' },
  GPUPipelineError: { ...exception, by: 'WebGPU' },
  ImageData: {
    ...SERIALIZABLE,
    ...{
      by: HTML,
      state: ['width', 'height', 'colorSpace', 'data'],
      own: 'data',
      memory: 'data',
      isCopied: true,
    },
  },
  ImageBitmap: { ...BOTH, by: HTML, state: ['width', 'height'], memory: 'pixels', isCopied: true },
  OffscreenCanvas: { ...TRANSFERABLE, by: HTML, state: ['width', 'height'], memory: 'pixels' },
  MessagePort: { ...TRANSFERABLE, by: HTML },
  DOMPoint: point,
  DOMPointReadOnly: point,
  DOMRect: rect,
  DOMRectReadOnly: rect,
  DOMQuad: { ...SERIALIZABLE, by: GEOMETRY, state: ['p1', 'p2', 'p3', 'p4'] },
  DOMMatrix: matrix,
  DOMMatrixReadOnly: matrix,
  VideoFrame: { ...BOTH, by: WEB_CODECS, state: [...FRAME_FIELDS, 'displayHeight'], memory: 'frame' },
  AudioData: {
    ...BOTH,
    ...{ by: WEB_CODECS, memory: 'samples' },
    state: ['format', 'sampleRate', 'numberOfFrames', 'numberOfChannels', 'duration', 'timestamp'],
  },
  EncodedVideoChunk: chunk,
  EncodedAudioChunk: chunk,
  RTCCertificate: { ...SERIALIZABLE, by: 'WebRTC' },
  RTCDataChannel: { ...TRANSFERABLE, by: 'WebRTC', state: ['label', 'id', 'protocol'] },
  MediaStreamTrack: track,
  CanvasCaptureMediaStreamTrack: track,
  MediaSourceHandle: { ...TRANSFERABLE, by: 'Media Source Extensions' },
  FileSystemFileHandle: fileHandle,
  FileSystemDirectoryHandle: fileHandle,
  CryptoKey: { ...SERIALIZABLE, by: 'Web Cryptography', state: ['type', 'extractable'] },
  ReadableStream: { ...TRANSFERABLE, by: STREAMS },
  WritableStream: { ...TRANSFERABLE, by: STREAMS },
  TransformStream: { ...TRANSFERABLE, by: STREAMS },
  Module: { ...SERIALIZABLE, by: WASM },
  Memory: { ...SERIALIZABLE, by: WASM },
  CropTarget: { ...SERIALIZABLE, by: 'Region Capture' },
} as const satisfies Record<string, PlatformClassFacts>;

/** These names say nothing about a class that the user wrote. */
export type PlatformClassName = keyof typeof CLASSES;
export const PLATFORM_CLASSES: Readonly<Record<PlatformClassName, PlatformClassFacts>> = CLASSES;
