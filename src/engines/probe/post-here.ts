/** Posted after each message: messages arrive in order, so a message that has not come before it never will. */
const END = 'clone-prof: the message before this one was lost';

/** The engine accepted a message and did not deliver it. */
export class NotDelivered extends Error {}

/**
 * Posts to this thread, over a fresh channel. @returns what `read` finds in the event of its arrival
 * @param lateMs limit for an engine that may stop delivering altogether
 * @throws the error of postMessage, NotDelivered
 */
export async function postHere<T>(
  message: unknown,
  transfer: Transferable[],
  read: (event: MessageEvent) => T,
  lateMs?: number,
): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  let late: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const lost = (reason: string) => reject(new NotDelivered(reason));
      // The web event: Node's `on` passes the data only.
      port2.addEventListener('message', (event) => {
        if (event.data === END) lost('the message never arrived');
        else resolve(read(event));
      });
      port2.addEventListener('messageerror', () => lost('the message arrived but could not be deserialized'));
      port2.start();
      if (lateMs !== undefined) late = setTimeout(() => lost('no message arrives any more'), lateMs);
      if (transfer.length === 0) port1.postMessage(message);
      else port1.postMessage(message, transfer);
      port1.postMessage(END);
    });
  } finally {
    clearTimeout(late);
    port1.close();
    port2.close();
  }
}
