/** The parts of `bun:jsc` that are in every release from 1.2.20 to 1.4.5, as typed functions. */

export interface BunJsc {
  /** Text of JSC's dump of a value. Copies a string or a key list whole; resolves no rope. */
  jscDescribe(value: unknown): string;
  /** True for a concatenation or a piece of a longer string that is not resolved yet. */
  isRope(text: string): boolean;
  /** Bytes; of a string cell with its characters shared among all that hold them; 0 for what is no cell. */
  estimateShallowMemoryUsageOf(value: unknown): number;
}

/** Only in Bun: nobody else knows the module. */
export async function bunJsc(): Promise<BunJsc> {
  const specifier = 'bun:jsc';
  return (await import(specifier)) as BunJsc;
}

export interface ObjectText {
  /** JSC class name: "Object", "Array". */
  className: string;
  /** Named properties out of line that the structure has had: 0 for an array that never had one. */
  outSize: number;
  /** Named properties that the structure has room for inside the object. */
  inlineCapacity: number;
  /** Indexing type, copy-on-write stripped: "NonArray", "ArrayWithInt32". */
  mode: string;
  uncacheable: boolean;
  /** How the structure was made: "Unknown", "Freeze", "PreventExtensions". */
  transition: string;
}

const HEAD = /\[0x[0-9a-f]+\/\d+, (\w+), \(\d+\/(\d+), (\d+)\/\d+\)\{/;

/** `jscDescribe` of an object; null for what it does not print as one. Keys are printed raw, so read from both ends. */
export function parseObjectText(text: string): ObjectText | null {
  const head = HEAD.exec(text.slice(0, 400));
  const end = text.lastIndexOf('}, ');
  if (head === null || end < 0) return null;
  const tail = text.slice(end + 3);
  const mode = /^[A-Za-z0-9]+/.exec(tail)?.[0] ?? '';
  return {
    className: head[1]!,
    inlineCapacity: Number(head[2]),
    outSize: Number(head[3]),
    mode: mode.replace(/^CopyOnWrite/, ''),
    uncacheable: tail.includes(', UncacheableDictionary'),
    transition: /^[^,]*, (\w+)/.exec(tail)?.[1] ?? '',
  };
}

export interface StringText {
  atom: boolean;
  /** One byte a unit. */
  narrow: boolean;
}

const STRING = /^String((?: \(\w+\))*),8Bit:\((\d)\)/;

/** `jscDescribe` of a string. */
export function parseStringText(text: string): StringText | null {
  const found = STRING.exec(text.slice(0, 80));
  if (found === null) return null;
  return { atom: found[1]!.includes('(atomic)'), narrow: found[2] === '1' };
}
