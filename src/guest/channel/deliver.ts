const MARKER = 'clone-prof: the message before this one was lost';

/**
 * What the receiver of a real message channel gets. In an object, because a promise would look for `then` on it.
 *
 * @throws what postMessage throws; Error when the message does not arrive, which the message after it shows
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

/** What the other process gets of a message of JSON text. @throws what JSON.stringify throws */
export const asJson: typeof deliver = async (message) => ({ data: JSON.parse(JSON.stringify(message)) });
