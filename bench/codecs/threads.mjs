// Workers as programs of each runtime use them: Deno's own is the Web's; its node:worker_threads sends in another way.
const isDeno = 'Deno' in globalThis;
const { Worker: NodeWorker, parentPort } = isDeno ? {} : await import('node:worker_threads');

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
  if (isDeno) {
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
export const openParent = () => (isDeno ? webSide(globalThis) : nodeSide(parentPort));
