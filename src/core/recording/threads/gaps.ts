import type { Gap } from '../../../model/documents/recorded/recording.ts';

export class Gaps {
  readonly #counts = new Map<string, number>();

  miss(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  get list(): Gap[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }));
  }
}
