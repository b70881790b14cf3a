/** Taken before user code loads. */
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];

port2.onmessage = () => waiting.shift()?.();

/** Resolves after one turn of the event loop. A timer would wait 4 ms (HTML, timer initialisation steps). */
export function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    port1.postMessage(null);
  });
}
