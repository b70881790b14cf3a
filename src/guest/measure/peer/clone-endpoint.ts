import { type Endpoint, noop } from './endpoint.ts';

/** A lane whose other end is here: `structuredClone` gives the received value at once. */
export class CloneEndpoint implements Endpoint {
  readonly transfers = true;
  onMessage = noop;
  onMessageError = noop;
  got: unknown;

  post(message: unknown): void {
    this.got = structuredClone(message);
  }

  postWith(message: unknown, transfer: Transferable[]): void {
    this.got = structuredClone(message, { transfer });
  }

  close(): void {
    this.got = undefined;
  }
}
