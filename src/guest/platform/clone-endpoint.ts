import { type Endpoint, noop } from './common/platform.ts';

/** `structuredClone` as an endpoint: what is posted is received at once. */
export class CloneEndpoint implements Endpoint {
  readonly transfers = true;
  onMessage = noop;
  onMessageError = noop;
  received: unknown;

  post(message: unknown): void {
    this.received = structuredClone(message);
  }

  postWith(message: unknown, transfer: Transferable[]): void {
    this.received = structuredClone(message, { transfer });
  }

  close(): void {
    this.received = undefined;
  }
}
