/** A generated codec, and the limit of what any could do. */
import { NOTHING_TO_MOVE, type OpenWay } from './way.ts';

interface CodecModule {
  toMessage(value: unknown): unknown;
  fromMessage(message: unknown): unknown;
  transferList?(message: unknown): ArrayBuffer[];
}

/** About what a message weighs: bytes of its buffers, one or two for each unit of its texts, a word for all else. */
function bytesOf(message: unknown): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what one byte holds begins there.
  if (typeof message === 'string') return message.length * (/^[\u0000-\u00ff]*$/.test(message) ? 1 : 2);
  if (message instanceof ArrayBuffer || ArrayBuffer.isView(message)) return message.byteLength;
  if (typeof message !== 'object' || message === null) return 8;
  return Object.values(message).reduce((sum: number, part) => sum + bytesOf(part), 8);
}

export async function openCodec(url: string): Promise<Record<string, OpenWay>> {
  const module = (await import(url)) as CodecModule;
  const { toMessage, fromMessage, transferList = NOTHING_TO_MOVE } = module;
  const codec: OpenWay = () => ({ name: 'codec', toMessage, fromMessage, transferList });
  return { codec, limit: limitOf(module) };
}

/**
 * Each side walks its value and builds one by the code of the codec, without a thread between; what is posted is one buffer
 * of as many bytes, which are copied.
 */
function limitOf({ toMessage, fromMessage }: CodecModule): OpenWay {
  return (value) => {
    const bytes = new ArrayBuffer(bytesOf(toMessage(value)));
    let built: unknown;
    return {
      name: 'limit',
      toMessage: (payload) => {
        built = fromMessage(toMessage(payload));
        return bytes;
      },
      fromMessage: () => built,
      transferList: NOTHING_TO_MOVE,
    };
  };
}
