import type { ValueType } from '../../../model/documents/payload-schema.ts';
import { capitalized, container, type TypeTexts, VALUE, type Way } from '../way.ts';

/** Objects used as dictionaries, with many keys. */
export const dictionary = ofManyKeys('dictionary', {
  fits: ({ dictionary, keysRepeat }) => dictionary !== undefined && !keysRepeat,
  helpers: [
    container(
      'Dictionary',
      'isPlain(value)',
      `  const inside = path + '.*';
  const start = i++;
  let length = 0;
  for (const key in value) {
    putText(key);
    write(value[key], inside);
    length++;
  }
  ints[start] = length;`,
    ),
    `function readDictionary/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Record<string, T> */;
  if (length > 128) return largeDictionary(length, read);
  const object/*: Record<string, T> */ = {};
  for (let left = length; left > 0; left--) setKey(object, nextText(), read());
  return object;
}`,
    `/** V8 adds keys to an object without a prototype two times as fast: it does not try to give it a hidden class. */
function largeDictionary/*<T> */(length/*: number */, read/*: () => T */)/*: Record<string, T> */ {
  const object/*: Record<string, T> */ = Object.create(null);
  for (let left = length; left > 0; left--) object[nextText()] = read();
  return Object.setPrototypeOf(object, Object.prototype)/*as Record<string, T> */;
}`,
  ],
});

/** Dictionaries whose lists of keys repeat. */
export const table = ofManyKeys('table', {
  fits: ({ dictionary, keysRepeat }) => dictionary !== undefined && keysRepeat === true,
  helpers: [
    container(
      'Table',
      'isPlain(value)',
      `  writeKeys(Object.keys(value));
  const inside = path + '.*';
  for (const one of Object.values(value)) write(one, inside);`,
    ),
    `function readTable/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const index = nextInt();
  if (!(index >= 0)) return readOther(index)/*as Record<string, T> */;
  const object/*: Record<string, T> */ = {};
  for (const key of readKeys(index)) setKey(object, key, read());
  return object;
}`,
    `/** Lists of keys that were sent before are an index. */
const keyLists = new Map/*<string, number> */();
function writeKeys(keys/*: string[] */)/*: void */ {
  if (lists.length === 0) keyLists.clear();
  const id = \`\${keys.length} \${keys[0]} \${keys[keys.length - 1]}\`;
  const index = keyLists.get(id) ?? lists.length;
  const known = lists[index] ?? [];
  let same = 0;
  while (same < keys.length && keys[same] === known[same]) same++;
  if (index < lists.length && same === keys.length) return putInt(index);
  putInt(lists.length);
  putInt(keys.length);
  keyLists.set(id, lists.push(keys) - 1);
  for (const key of keys) putText(key);
}`,
    `function readKeys(index/*: number */)/*: string[] */ {
  if (index === listsIn.length) {
    const length = nextInt();
    if (!isLength(length)) damaged();
    const keys/*: string[] */ = [];
    for (let left = length; left > 0; left--) keys.push(nextText());
    listsIn.push(keys);
  }
  const known = listsIn[index];
  return known !== undefined && isLength(known.length) ? known : damaged();
}`,
  ],
});

export const map: Way = {
  name: 'map',
  fits: ({ map }) => map !== undefined,
  tsType: ({ map }, types) => `Map<${map!.map((at) => types.text(at)).join(', ')}>`,
  test: () => 'value instanceof Map',
  call: ({ map }, functions) => ({
    name: 'Map',
    inside: map!.map((at) => functions.functionFor(at)),
  }),
  helpers: [
    `function writeMap(${VALUE}, writeKey/*: Write */, write/*: Write */, known = '')/*: void */ {
  if (!isA(value, Map)) return writeOther(value, path, known);
  const start = i++;
  let size = 0;
  for (const [key, one] of Map.prototype.entries.call(value)) {
    writeKey(key, path + '{key}');
    write(one, path + '{value}');
    size++;
  }
  ints[start] = size;
}`,
    `function readMap/*<K, T> */(readKey/*: () => K */, read/*: () => T */)/*: Map<K, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Map<K, T> */;
  const map = new Map/*<K, T> */();
  for (let left = length; left > 0; left--) map.set(readKey(), read());
  return map;
}`,
  ],
};

export const set: Way = {
  name: 'set',
  fits: ({ set }) => set !== undefined,
  tsType: ({ set }, types) => `Set<${types.text(set!)}>`,
  test: () => 'value instanceof Set',
  call: ({ set }, functions) => ({ name: 'Set', inside: [functions.functionFor(set!)] }),
  helpers: [
    container(
      'Set',
      'isA(value, Set)',
      `  const inside = path + '{member}';
  const start = i++;
  let size = 0;
  for (const one of Set.prototype.values.call(value)) {
    write(one, inside);
    size++;
  }
  ints[start] = size;`,
    ),
    `function readSet/*<T> */(read/*: () => T */)/*: Set<T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Set<T> */;
  const set = new Set/*<T> */();
  for (let left = length; left > 0; left--) set.add(read());
  return set;
}`,
  ],
};

/** A TypeScript alias may contain itself in braces, but not in `Record`. */
function objectOf({ dictionary }: ValueType, types: TypeTexts): string {
  const value = types.text(dictionary!);
  return types.isRecursive(dictionary!) ? `{ [key: string]: ${value} }` : `Record<string, ${value}>`;
}

/** A way of writing dictionaries. */
function ofManyKeys(name: string, { fits, helpers }: Required<Pick<Way, 'fits' | 'helpers'>>): Way {
  return {
    name,
    fits,
    tsType: objectOf,
    test: () => 'isPlain(value)',
    call: ({ dictionary }, functions) => ({
      name: capitalized(name),
      inside: [functions.functionFor(dictionary!)],
    }),
    helpers,
  };
}
