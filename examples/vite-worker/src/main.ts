import { type Payload, toMessage } from '../public/orders.json?codec';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.addEventListener('message', ({ data }: MessageEvent<number>) => {
  document.querySelector('output')!.textContent = `total: ${data}`;
});

const response = await fetch('/orders.json');
const orders = (await response.json()) as Payload;
worker.postMessage(toMessage(orders, (path) => console.warn(`the codec does not know ${path}`)));
