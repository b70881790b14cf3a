import { filter } from '../../../core/value/lists.ts';
import { type ErrorFacts, ToolError } from '../../../model/errors.ts';
import { parseJson } from '../files/read-file.ts';
import { kindOf } from './line-names.ts';
import { signatureOf } from './line-signature.ts';
import type { Line } from './lines.ts';

/** Most groups: a file in which every line differs must not fill the memory. */
const MAX_GROUPS = 1024;
/** Lines remembered of a group: enough for its median size. */
const LINES_KEPT = 1024;
const ERRORS_KEPT = 5;

/** Lines of one kind and shape. Keeps an even selection of them, so that a million lines take the memory of a thousand. */
export class LineGroup {
  count = 0;
  largest: Line = { line: 0, offset: 0, length: -1 };
  readonly kind: string;
  readonly signature: string;
  #kept: Line[] = [];
  #stride = 1;

  constructor(kind: string, signature: string) {
    this.kind = kind;
    this.signature = signature;
  }

  add(line: Line): void {
    if (line.length > this.largest.length) this.largest = line;
    if (this.count++ % this.#stride !== 0) return;
    this.#kept.push(line);
    if (this.#kept.length < LINES_KEPT) return;
    this.#kept = filter(this.#kept, (_: Line, i: number) => i % 2 === 0);
    this.#stride *= 2;
  }

  /** The line of median size represents the group. */
  representative(): Line {
    const bySize = this.#kept.toSorted((a, b) => a.length - b.length || a.line - b.line);
    return bySize[(bySize.length - 1) >> 1]!;
  }
}

/** The lines of an NDJSON file by kind and shape. */
export class LineGroups {
  /** Lines without a group, because there are already MAX_GROUPS. */
  ungrouped = 0;
  malformed = 0;
  /** The first few errors. */
  readonly errors: ErrorFacts[] = [];
  readonly #name: string;
  readonly #groups = new Map<string, LineGroup>();

  /** @param name of the file, for errors */
  constructor(name: string) {
    this.#name = name;
  }

  add(text: string, line: Line): void {
    try {
      this.#groupOf(parseJson(text, this.#name, line.line))?.add(line);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (this.malformed++ < ERRORS_KEPT) this.errors.push(error.facts);
    }
  }

  #groupOf(value: unknown): LineGroup | null {
    const [kind, signature] = [kindOf(value), signatureOf(value)];
    const key = `${kind} ${signature}`;
    const known = this.#groups.get(key);
    if (known) return known;
    if (this.#groups.size >= MAX_GROUPS) {
      this.ungrouped++;
      return null;
    }
    const group = new LineGroup(kind, signature);
    this.#groups.set(key, group);
    return group;
  }

  get empty(): boolean {
    return this.#groups.size === 0 && this.malformed === 0;
  }

  /** The most frequent first. */
  ranked(): LineGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}
