/**
 * Finds where a text stops being JSON (RFC 8259). `JSON.parse` itself says a position on V8 only, in words that differ
 * by version, and none on Bun; this is run after it refused a text, so that every runtime says the same.
 */
export interface JsonFault {
  /** UTF-16 units from the start of the text. */
  offset: number;
  /** "',' or '}' expected" */
  saying: string;
}

type Want = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or close' | 'end';

const EXPECTED: Record<Exclude<Want, 'comma or close'>, string> = {
  value: 'a value',
  'value or ]': "a value or ']'",
  key: 'a property name in double quotes',
  'key or }': "a property name in double quotes or '}'",
  colon: "':'",
  end: 'the end',
};

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;

class Fault extends Error {
  readonly offset: number;
  constructor(offset: number, saying: string) {
    super(saying);
    this.offset = offset;
  }
}

/** Where a match of a sticky pattern at `from` ends; -1 when there is none. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return i + 1;
    if (unit < 0x20) throw new Fault(i, 'a control character in a string must be escaped');
    if (unit === 0x5c) {
      const end = endOf(ESCAPE, text, i);
      if (end === -1) throw new Fault(i, 'unknown escape in a string');
      i = end - 1;
    }
  }
  throw new Fault(text.length, 'the text ends inside a string');
}

function endOfScalar(text: string, from: number, want: 'value' | 'value or ]'): number {
  if (text[from] === '"') return endOfString(text, from);
  const end = Math.max(endOf(NUMBER, text, from), endOf(WORD, text, from));
  if (end === -1) throw new Fault(from, `${EXPECTED[want]} expected`);
  return end;
}

/** One walk over the text, without recursion: nesting has no limit. */
class Reader {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #want: Want = 'value';
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws a Fault at the first unit that cannot continue a JSON text. */
  walk(): void {
    for (;;) {
      this.#at = endOf(SPACE, this.#text, this.#at);
      const unit = this.#text[this.#at];
      if (unit === undefined) {
        if (this.#want === 'end') return;
        throw new Fault(this.#at, `the text ends where ${this.#expected()} was expected`);
      }
      this.#at = this.#take(unit);
    }
  }

  #expected(): string {
    if (this.#want !== 'comma or close') return EXPECTED[this.#want];
    return this.#open.at(-1) === '{' ? "',' or '}'" : "',' or ']'";
  }

  #closed(): void {
    this.#want = this.#open.length === 0 ? 'end' : 'comma or close';
  }

  #opened(bracket: '{' | '['): number {
    this.#open.push(bracket);
    this.#want = bracket === '{' ? 'key or }' : 'value or ]';
    return this.#at + 1;
  }

  #take(unit: string): number {
    const closing = this.#open.at(-1) === '{' ? '}' : ']';
    const mayClose = ['comma or close', 'value or ]', 'key or }'].includes(this.#want);
    if (mayClose && unit === closing) {
      this.#open.pop();
      this.#closed();
      return this.#at + 1;
    }
    if (this.#want === 'value' || this.#want === 'value or ]') {
      if (unit === '{' || unit === '[') return this.#opened(unit);
      const end = endOfScalar(this.#text, this.#at, this.#want);
      this.#closed();
      return end;
    }
    if ((this.#want === 'key' || this.#want === 'key or }') && unit === '"') {
      this.#want = 'colon';
      return endOfString(this.#text, this.#at);
    }
    if (this.#want === 'colon' && unit === ':') {
      this.#want = 'value';
      return this.#at + 1;
    }
    if (this.#want === 'comma or close' && unit === ',') {
      this.#want = closing === '}' ? 'key' : 'value';
      return this.#at + 1;
    }
    throw new Fault(
      this.#at,
      this.#want === 'end' ? 'more text after the end of the value' : `${this.#expected()} expected`,
    );
  }
}

/** @returns null when the text is JSON */
export function findJsonFault(text: string): JsonFault | null {
  try {
    new Reader(text).walk();
    return null;
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { offset: fault.offset, saying: fault.message };
  }
}

/** Line and column of a place in a text, both from 1; the column counts UTF-16 units, as editors do. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}
