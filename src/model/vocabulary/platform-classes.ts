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

type Marks = PlatformClassFacts['marked'];
const SERIALIZABLE: Marks = ['serializable'];
const TRANSFERABLE: Marks = ['transferable'];
const BOTH: Marks = ['serializable', 'transferable'];

/** @param state names of getters, joined by blanks */
const row = (
  by: string,
  marked: Marks,
  state?: string,
  more: Partial<PlatformClassFacts> = {},
): PlatformClassFacts => ({ by, marked, ...(state !== undefined && { state: state.split(' ') }), ...more });

const EXCEPTION = 'name message code';
const point = row('Geometry Interfaces', SERIALIZABLE, 'x y z w');
const rect = row('Geometry Interfaces', SERIALIZABLE, 'x y width height');
const matrix = row(
  'Geometry Interfaces',
  SERIALIZABLE,
  'm11 m12 m13 m14 m21 m22 m23 m24 m31 m32 m33 m34 m41 m42 m43 m44 is2D',
);
const chunk = row('WebCodecs', SERIALIZABLE, 'type timestamp duration byteLength', { memory: 'byteLength' });
const fileHandle = row('File System', SERIALIZABLE, 'kind name');
const track = row('Media Capture and Streams Extensions', TRANSFERABLE, 'kind id label enabled readyState');
const FRAME = 'format timestamp duration codedWidth codedHeight displayWidth displayHeight';
const AUDIO = 'format sampleRate numberOfFrames numberOfChannels duration timestamp';

const CLASSES = {
  Blob: row('File API', SERIALIZABLE, 'size type'),
  File: row('File API', SERIALIZABLE, 'size type name lastModified'),
  FileList: row('File API', SERIALIZABLE, 'length', { own: 'index' }),
  DOMException: row('Web IDL', SERIALIZABLE, EXCEPTION),
  QuotaExceededError: row('Web IDL', SERIALIZABLE, `${EXCEPTION} quota requested`),
  WebTransportError: row('WebTransport', SERIALIZABLE, EXCEPTION),
  GPUPipelineError: row('WebGPU', SERIALIZABLE, EXCEPTION),
  ImageData: row('HTML', SERIALIZABLE, 'width height colorSpace data', {
    own: 'data',
    memory: 'data',
    isCopied: true,
  }),
  ImageBitmap: row('HTML', BOTH, 'width height', { memory: 'pixels', isCopied: true }),
  OffscreenCanvas: row('HTML', TRANSFERABLE, 'width height', { memory: 'pixels' }),
  MessagePort: row('HTML', TRANSFERABLE),
  DOMPoint: point,
  DOMPointReadOnly: point,
  DOMRect: rect,
  DOMRectReadOnly: rect,
  DOMQuad: row('Geometry Interfaces', SERIALIZABLE, 'p1 p2 p3 p4'),
  DOMMatrix: matrix,
  DOMMatrixReadOnly: matrix,
  VideoFrame: row('WebCodecs', BOTH, FRAME, { memory: 'frame' }),
  AudioData: row('WebCodecs', BOTH, AUDIO, { memory: 'samples' }),
  EncodedVideoChunk: chunk,
  EncodedAudioChunk: chunk,
  RTCCertificate: row('WebRTC', SERIALIZABLE),
  RTCDataChannel: row('WebRTC', TRANSFERABLE, 'label id protocol'),
  MediaStreamTrack: track,
  CanvasCaptureMediaStreamTrack: track,
  MediaSourceHandle: row('Media Source Extensions', TRANSFERABLE),
  FileSystemFileHandle: fileHandle,
  FileSystemDirectoryHandle: fileHandle,
  CryptoKey: row('Web Cryptography', SERIALIZABLE, 'type extractable'),
  ReadableStream: row('Streams', TRANSFERABLE),
  WritableStream: row('Streams', TRANSFERABLE),
  TransformStream: row('Streams', TRANSFERABLE),
  Module: row('WebAssembly Web API', SERIALIZABLE),
  Memory: row('WebAssembly Web API', SERIALIZABLE),
  CropTarget: row('Region Capture', SERIALIZABLE),
};

/** These names say nothing about a class that the user wrote. */
export type PlatformClassName = keyof typeof CLASSES;
export const PLATFORM_CLASSES: Readonly<Record<PlatformClassName, PlatformClassFacts>> = CLASSES;
