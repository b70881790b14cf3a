// Workers as programs of each runtime use them: Deno's own is the Web's, as in pages; its node:worker_threads sends in another way.
const isWeb = 'Deno' in globalThis || !('process' in globalThis);
const { Worker: NodeWorker, parentPort } = isWeb ? {} : await import('node:worker_threads');

const webSide = (target) => ({
  post: (message, list) => target.postMessage(message, list),
  listen: (listener) => {
    target.onmessage = ({ data }) => listener(data);
  },
});

const nodeSide = (target) => ({
  post: (message, list) => target.postMessage(message, list),
  listen: (listener) => target.on('message', listener),
});

/** The worker's side of a new thread. An error there ends the program. */
export function openWorker(url) {
  if (isWeb) {
    const worker = new Worker(url, { type: 'module' });
    return { ...webSide(worker), end: () => worker.terminate() };
  }
  const worker = new NodeWorker(url);
  worker.on('error', (error) => {
    throw error;
  });
  return { ...nodeSide(worker), end: () => worker.terminate() };
}

/** In a worker: the program's side. */
export const openParent = () => (isWeb ? webSide(globalThis) : nodeSide(parentPort));
