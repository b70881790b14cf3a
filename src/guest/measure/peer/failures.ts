/** What the peer posts instead of its answer when the variant failed there: a string that no payload begins with. */
export class PeerFailures {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  encode(reason: string): string {
    return this.#token + reason;
  }

  /** The reason; null when it is an ordinary answer. */
  read(data: unknown): string | null {
    return typeof data === 'string' && data.startsWith(this.#token) ? data.slice(this.#token.length) : null;
  }
}
