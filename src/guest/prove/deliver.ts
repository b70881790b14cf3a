/** What the receiver of a real message channel gets. In an object, because a promise would look for `then` on it. */
export async function deliver(message: unknown, transfer: Transferable[] = []): Promise<{ data: unknown }> {
  const { port1, port2 } = new MessageChannel();
  try {
    return await new Promise((resolve, reject) => {
      port2.onmessage = ({ data }) => resolve({ data });
      port2.onmessageerror = () => reject(new Error('the message arrived but could not be deserialized'));
      port1.postMessage(message, transfer);
    });
  } finally {
    port1.close();
    port2.close();
  }
}
