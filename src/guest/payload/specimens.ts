import { ToolError } from '../../model/errors.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, name: `row ${i}`, score: i / 3, active: i % 2 === 0 }));

/** Values of the tool, built by name: for calibration and tests. Each call gives a new value. */
export const SPECIMENS = {
  undefined: () => undefined,
  'small-number': () => 7,
  'short-string': () => 'hello',
  'long-string': () => 'payload '.repeat(4096),
  'two-byte-string': () => 'данные '.repeat(4096),
  'flat-object': () => ({ id: 1, name: 'one', active: true, score: 0.5 }),
  'nested-object': () => ({ id: 1, geo: { lat: 52.5, lon: 13.4 }, tags: ['a', 'b'] }),
  int32s: () => Array.from({ length: 1024 }, (_, i) => i),
  doubles: () => Array.from({ length: 1024 }, (_, i) => i + 0.5),
  holey: () => {
    const sparse: number[] = [];
    sparse[0] = 1;
    sparse[9] = 2;
    return sparse;
  },
  rows: () => rows(256),
  bytes: () => new Uint8Array(65536).fill(7),
  map: () => new Map(rows(16).map((row) => [row.name, row])),
} as const satisfies Record<string, () => unknown>;

/** A new value. @throws ToolError 'internal' for an unknown name */
export function makeSpecimen(name: string): unknown {
  const all: Record<string, () => unknown> = SPECIMENS;
  const build = Object.hasOwn(all, name) ? all[name] : undefined;
  if (build) return build();
  throw new ToolError('internal', { detail: `no specimen '${name}'` });
}
