/** In a thread with little memory: reads messages by a codec, and tells what became of each. */
import { parentPort, workerData } from 'node:worker_threads';

const { fromMessage } = await import(workerData.codec);
parentPort.on('message', (message) => {
  try {
    fromMessage(message);
    parentPort.postMessage('a value');
  } catch (error) {
    parentPort.postMessage(`${error.name}: ${error.message}`);
  }
});
