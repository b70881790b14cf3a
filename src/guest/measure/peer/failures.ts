/** Encodes a failure of a variant in the peer as a message: a string that begins with a token no payload contains. */
export class PeerFailures {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  encode(reason: string): string {
    return this.#token + reason;
  }

  /** The reason; null when `data` is an ordinary answer. */
  decode(data: unknown): string | null {
    return typeof data === 'string' && data.startsWith(this.#token) ? data.slice(this.#token.length) : null;
  }
}
