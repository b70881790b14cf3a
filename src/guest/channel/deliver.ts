import { type Channel, channelRow, type FileContent, isJson, isStore } from '../../model/names.ts';
import { withLocal } from './channel.ts';
import { observePost } from './observed.ts';

const MARKER = 'clone-prof: the message before this one was lost';

/**
 * Data that a real message channel delivers. In an object, because a promise would look for `then` on it.
 *
 * @throws the error of postMessage; Error when the message does not arrive, which the message after it shows
 */
export async function deliver(message: unknown, transfer: Transferable[] = []): Promise<{ data: unknown }> {
  const { port1, port2 } = new MessageChannel();
  try {
    return await new Promise((resolve, reject) => {
      port2.onmessage = ({ data }) => {
        if (data === MARKER) reject(new Error('the message never arrived'));
        else resolve({ data });
      };
      port2.onmessageerror = () => reject(new Error('the message arrived but could not be deserialized'));
      port1.postMessage(message, transfer);
      port1.postMessage(MARKER);
    });
  } finally {
    port1.close();
    port2.close();
  }
}

/** `bytes`: size of the file, if there is one. `read`: called with what arrives while the store that has it is there. */
export type Deliver = (
  message: unknown,
  transfer?: Transferable[],
  read?: (data: unknown) => Promise<unknown>,
) => Promise<{ data: unknown; bytes?: number }>;

/** The data that the other side gets of a message of JSON text. @throws the error of JSON.stringify */
const asJson: Deliver = async (message) => ({ data: JSON.parse(JSON.stringify(message)) });

const asStored =
  (channel: Channel, content: FileContent): Deliver =>
  (message, _, read) =>
    withLocal(channel, async (store) => {
      const endpoint = store.endpoint(content);
      endpoint.post(message);
      await endpoint.written?.();
      await endpoint.asked?.();
      const stored = endpoint.received;
      const data = read ? await read(stored) : stored;
      const bytes = store.bytes?.() ?? null;
      return { data, ...(bytes !== null && { bytes }) };
    });

/** Posts over the real channel, because some values that a port clones do not arrive. */
const asPosted =
  (channel: Channel): Deliver =>
  async (message, transfer) => {
    const seen = await observePost(channel, message, transfer);
    if (seen?.arrived) return seen.arrived;
    throw new Error(seen?.refused ?? seen?.lost ?? 'what arrives cannot come back');
  };

/** Delivery of data over a channel. Most channels deliver as a port does. */
export function deliveryOver(channel: Channel, content: FileContent): Deliver {
  if (isStore(channel)) return asStored(channel, content);
  if (isJson(channel)) return asJson;
  return channelRow(channel).ownSteps ? asPosted(channel) : deliver;
}
