/** What the peer posts instead of its answer when the contestant failed there: a string that no payload begins with. */
export class Faults {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  say(reason: string): string {
    return this.#token + reason;
  }

  /** The reason; null when it is an ordinary answer. */
  read(data: unknown): string | null {
    return typeof data === 'string' && data.startsWith(this.#token) ? data.slice(this.#token.length) : null;
  }
}
