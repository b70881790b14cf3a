/** Workers that a document or worker starts. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import { apply } from '../realm/intrinsics.ts';
import type { WorkerLink } from './outbox.ts';
import type { PageTap, Posts } from './posts.ts';
import type { WorkerStarts } from './proxied.ts';
import { countFromWorker } from './receipts.ts';
import { watchCalls, watchConstructor } from './replace.ts';
import { addressFrom, getterOf } from './worker-address.ts';

const globals = globalThis as typeof globalThis & {
  SharedWorker?: { prototype: object };
  ServiceWorkerContainer?: { prototype: object };
};
const portOf = getterOf(globals.SharedWorker?.prototype, 'port');

/** @param starts of a page that came through the proxy */
export function watchWorkers(
  posts: Posts,
  tap: PageTap,
  linkTo: (address: string) => WorkerLink | null,
  starts: WorkerStarts | null,
): void {
  const made = (worker: object, args: unknown[]) => {
    const address = addressFrom(args[0]);
    const link = address === null ? null : linkTo(address);
    posts.know(worker, 'Worker.postMessage', address === null ? null : `worker ${address}`, link);
    if (link !== null) countFromWorker(tap, worker, link);
    if (address !== null) starts?.started(address, args[1]);
  };
  watchConstructor(globalThis, 'Worker', made, starts?.given);
  watchSharedWorkers(posts, starts);
  if (starts === null || globals.ServiceWorkerContainer === undefined) return;
  watchCalls(globals.ServiceWorkerContainer.prototype, 'register', {
    before(_receiver, args) {
      const address = addressFrom(args[0]);
      if (address !== null) starts.started(address, args[1]);
    },
  });
}

function watchSharedWorkers(posts: Posts, starts: WorkerStarts | null): void {
  if (portOf === undefined) return;
  watchConstructor(globalThis, 'SharedWorker', (worker, args) => {
    const address = addressFrom(args[0]);
    const to = address === null ? null : `shared worker ${address}`;
    posts.know(apply(portOf, worker, []) as object, 'MessagePort.postMessage', to, HEADER.portsSent);
    if (address !== null) starts?.started(address, args[1]);
  });
}
