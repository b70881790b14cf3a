/** How a value becomes a message and a value again. */
export interface Way {
  name: string;
  toMessage(value: unknown): unknown;
  fromMessage(message: unknown): unknown;
  transferList(message: unknown): ArrayBuffer[];
  /** What arrives reads the same, though its objects are of classes or a missing key reads as null. */
  isLenient?: boolean;
}

/** Opened with the value that it will send, so that what can be prepared is not charged. */
export type OpenWay = (value: unknown) => Way;

export const NOTHING_TO_MOVE = (): ArrayBuffer[] => [];

/** Where there is one, peers read a Buffer faster; pages have none. */
const bytesIn = (message: ArrayBuffer): Uint8Array =>
  'Buffer' in globalThis ? Buffer.from(message) : new Uint8Array(message);

/** Messages that are one buffer, which is moved. A view of a larger one is copied: the rest would be sent too. */
export function byBytes(
  name: string,
  encode: (value: unknown) => Uint8Array,
  decode: (bytes: Uint8Array) => unknown,
  isLenient = false,
): Way {
  return {
    name,
    isLenient,
    toMessage: (value) => {
      const bytes = encode(value);
      const isWhole = bytes.byteLength === bytes.buffer.byteLength;
      return isWhole ? bytes.buffer : new Uint8Array(bytes).buffer;
    },
    fromMessage: (message) => decode(bytesIn(message as ArrayBuffer)),
    transferList: (message) => [message as ArrayBuffer],
  };
}
