/** What the test of a patch calls. */
export const PATCH_ENDS = ['createReceiver', 'createSender'];

const CHANGES = [
  '/*type Inside = Record<string, unknown>; */',
  '/** Each object and array in a value. */',
  'function inside(value/*: unknown */, found/*: Inside[] */ = [])/*: Inside[] */ {',
  "  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return found;",
  '  found.push(value/*as Inside */);',
  '  for (const one of Object.values(value)) inside(one, found);',
  '  return found;',
  '}',
  '',
  'const SEED = 1;',
  'const CHANGES/*: ((at: Inside, key: string) => unknown)[] */ = [',
  '  (at) => (Array.isArray(at) ? at.unshift(1) : Object.assign(at, { extra: 1 })),',
  '  (at) => (Array.isArray(at) ? at.pop() : Object.assign(at, { extra: -0 })),',
  '  (at, key) => delete at[key],',
  '  (at, key) => (at[key] = undefined),',
  '  (at, key) => (at[key] = { 3.5: NaN }),',
  '];',
  '',
];

/** The lines of a test that sends the sample with changes, one after the other. */
export function patchTestLines(equal: (actual: string, expected: string) => string): string[] {
  return [
    ...CHANGES,
    "test('each of many states arrives as it is, also after a lost message, seed ' + SEED, async () => {",
    '  let seed = SEED;',
    '  const random = (below/*: number */) => {',
    '    seed = (seed * 48271) % 2147483647;',
    '    return seed % below;',
    '  };',
    '  const state = await sample();',
    '  const sender = createSender();',
    '  const receiver = createReceiver({ onMiss: () => sender.reset() });',
    '  let misses = 0;',
    '  for (let step = 0; step < 200; step++) {',
    '    const objects = inside(state);',
    '    const at = objects[random(objects.length)];',
    '    if (at === undefined) return;',
    '    const keys = Object.keys(at);',
    "    const key = keys[random(keys.length)] ?? (Array.isArray(at) ? '0' : 'new');",
    '    CHANGES[random(CHANGES.length)]?.(at, key);',
    '    const message = structuredClone(sender.toMessage(state));',
    '    if (step % 20 === 10) continue; // lost',
    '    const received = receiver.fromMessage(message);',
    '    if (received === undefined) misses++;',
    `    else ${equal('received', 'structuredClone(state)')}`,
    '  }',
    `  ${equal('misses', '10')}`,
    '});',
    '',
  ];
}
