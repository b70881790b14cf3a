import { parentPort, workerData } from 'node:worker_threads';

parentPort.on('message', ({ query, catalog = workerData.catalog }) => {
  const found = catalog.filter(({ tags }) => tags.includes(query));
  parentPort.postMessage(found.map(({ id }) => id));
});
