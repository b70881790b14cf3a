/** The functions of `bun:jsc` that every release from 1.2.20 to 1.4.5 has, typed. */
export interface BunJsc {
  /** JSC's dump of a value as text. Copies strings and key lists; does not resolve ropes. */
  jscDescribe(value: unknown): string;
  /** True for a concatenation or a substring that is not resolved yet. */
  isRope(text: string): boolean;
  /** Bytes. The characters of a string are divided by the number of their holders. 0 for values that are not cells. */
  estimateShallowMemoryUsageOf(value: unknown): number;
}

/** null in old versions, which lack some of the functions. Other runtimes do not have this module. */
export async function bunJsc(): Promise<BunJsc | null> {
  const specifier = 'bun:jsc';
  const jsc = (await import(specifier)) as Partial<BunJsc>;
  return jsc.estimateShallowMemoryUsageOf === undefined || jsc.isRope === undefined ? null : (jsc as BunJsc);
}

interface ObjectText {
  /** JSC class name: "Object", "Array". */
  className: string;
  /** Out-of-line named properties that the structure has had: 0 for an array that never had one. */
  outSize: number;
  /** Named properties that the structure has room for inside the object. */
  inlineCapacity: number;
  /** Indexing type, copy-on-write stripped: "NonArray", "ArrayWithInt32". */
  mode: string;
  uncacheable: boolean;
  /** The object holds its prototype, its structure does not. */
  polyProto: boolean;
  /** Reason for which the structure was made: "Unknown", "Freeze", "PreventExtensions". */
  transition: string;
}

const HEAD = /\[0x[0-9a-f]+\/\d+, (\w+), \(\d+\/(\d+), (\d+)\/\d+\)\{/;

/** Parses `jscDescribe` of an object; null for other texts. Keys are printed raw, so it reads from both ends. */
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
    polyProto: tail.includes(', PolyProto offset:'),
    transition: /^[^,]*, (\w+)/.exec(tail)?.[1] ?? '',
  };
}

const STRING = /^String((?: \(\w+\))*),8Bit:\((\d)\)/;

/** Parses `jscDescribe` of a string. `narrow`: one byte for each UTF-16 unit. */
export function parseStringText(text: string): { atom: boolean; narrow: boolean } | null {
  const found = STRING.exec(text.slice(0, 80));
  if (found === null) return null;
  return { atom: found[1]!.includes('(atomic)'), narrow: found[2] === '1' };
}
