import type { ValueType } from '../../../model/documents/payload-schema.ts';
import { container, type TypeTexts, VALUE, type Way } from '../way.ts';

/** Objects of many keys. */
export const dictionary: Way = {
  name: 'dictionary',
  fits: ({ dictionary, keysRepeat }) => dictionary !== undefined && !keysRepeat,
  tsType: objectOf,
  test: () => 'isPlain(value)',
  call: ({ dictionary }, functions) => ({
    name: functions.shared('Dictionary'),
    inside: [functions.functionFor(dictionary!)],
  }),
  helpers: {
    writeDictionary: {
      needs: ['Write', 'inheritsNone', 'writeOther'],
      code: container(
        'Dictionary',
        'inheritsNone(value)',
        `  const inside = path + '.*';
  const start = i++;
  let length = 0;
  for (const key in value) {
    ints[i++] = key.length;
    text += key;
    write(value[key], inside);
    length++;
  }
  ints[start] = length;`,
      ),
    },
    readDictionary: {
      needs: ['isLength', 'nextInt', 'nextText', 'setKey', 'readOther', 'largeDictionary'],
      code: `function readDictionary/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Record<string, T> */;
  if (length > 128) return largeDictionary(length, read);
  const object/*: Record<string, T> */ = {};
  for (let left = length; left > 0; left--) setKey(object, nextText(), read());
  return object;
}`,
    },
    largeDictionary: {
      code: `/** V8 adds keys to an object without a prototype two times as fast: it does not try to give it a hidden class. */
function largeDictionary/*<T> */(length/*: number */, read/*: () => T */)/*: Record<string, T> */ {
  const object/*: Record<string, T> */ = Object.create(null);
  for (let left = length; left > 0; left--) object[nextText()] = read();
  return Object.setPrototypeOf(object, Object.prototype)/*as Record<string, T> */;
}`,
    },
  },
};

/** The same, whose lists of keys come again. */
export const table: Way = {
  name: 'table',
  fits: ({ dictionary, keysRepeat }) => dictionary !== undefined && keysRepeat === true,
  tsType: objectOf,
  test: () => 'isPlain(value)',
  call: ({ dictionary }, functions) => ({
    name: functions.shared('Table'),
    inside: [functions.functionFor(dictionary!)],
  }),
  helpers: {
    writeTable: {
      needs: ['Write', 'isPlain', 'writeOther', 'writeKeys'],
      code: container(
        'Table',
        'isPlain(value)',
        `  writeKeys(Object.keys(value));
  const inside = path + '.*';
  for (const one of Object.values(value)) write(one, inside);`,
      ),
    },
    readTable: {
      needs: ['nextInt', 'readKeys', 'setKey', 'readOther'],
      code: `function readTable/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const index = nextInt();
  if (!(index >= 0)) return readOther(index)/*as Record<string, T> */;
  const object/*: Record<string, T> */ = {};
  for (const key of readKeys(index)) setKey(object, key, read());
  return object;
}`,
    },
    writeKeys: {
      code: `/** Lists of keys that were sent before are an index. */
function writeKeys(keys/*: string[] */)/*: void */ {
  const id = \`\${keys.length} \${keys[0]} \${keys[keys.length - 1]}\`;
  const known = keyLists.get(id);
  let same = 0;
  if (known !== undefined) while (same < keys.length && keys[same] === known.keys[same]) same++;
  const isKnown = known !== undefined && same === keys.length;
  ints[i++] = isKnown ? known.index : lists;
  if (isKnown) return;
  keyLists.set(id, { keys, index: lists++ });
  ints[i++] = keys.length;
  for (const key of keys) {
    ints[i++] = key.length;
    text += key;
  }
}`,
    },
    readKeys: {
      needs: ['nextInt', 'nextText', 'isLength', 'damaged'],
      code: `function readKeys(index/*: number */)/*: string[] */ {
  if (index === keyListsIn.length) {
    const length = nextInt();
    if (!isLength(length)) damaged();
    const keys/*: string[] */ = [];
    for (let left = length; left > 0; left--) keys.push(nextText());
    keyListsIn.push(keys);
  }
  const known = keyListsIn[index];
  return known !== undefined && isLength(known.length) ? known : damaged();
}`,
    },
  },
};

export const map: Way = {
  name: 'map',
  fits: ({ map }) => map !== undefined,
  tsType: ({ map }, types) => `Map<${map!.map((at) => types.text(at)).join(', ')}>`,
  test: () => 'value instanceof Map',
  call: ({ map }, functions) => ({
    name: functions.shared('Map'),
    inside: map!.map((at) => functions.functionFor(at)),
  }),
  helpers: {
    writeMap: {
      needs: ['Write', 'writeOther', 'isA'],
      code: `function writeMap(${VALUE}, writeKey/*: Write */, write/*: Write */, known = '')/*: void */ {
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
    },
    readMap: {
      needs: ['isLength', 'nextInt', 'readOther'],
      code: `function readMap/*<K, T> */(readKey/*: () => K */, read/*: () => T */)/*: Map<K, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Map<K, T> */;
  const map = new Map/*<K, T> */();
  for (let left = length; left > 0; left--) map.set(readKey(), read());
  return map;
}`,
    },
  },
};

export const set: Way = {
  name: 'set',
  fits: ({ set }) => set !== undefined,
  tsType: ({ set }, types) => `Set<${types.text(set!)}>`,
  test: () => 'value instanceof Set',
  call: ({ set }, functions) => ({ name: functions.shared('Set'), inside: [functions.functionFor(set!)] }),
  helpers: {
    writeSet: {
      needs: ['Write', 'writeOther', 'isA'],
      code: container(
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
    },
    readSet: {
      needs: ['isLength', 'nextInt', 'readOther'],
      code: `function readSet/*<T> */(read/*: () => T */)/*: Set<T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Set<T> */;
  const set = new Set/*<T> */();
  for (let left = length; left > 0; left--) set.add(read());
  return set;
}`,
    },
  },
};

/** An alias may hold itself in braces, but not in `Record`. */
function objectOf({ dictionary }: ValueType, types: TypeTexts): string {
  const value = types.text(dictionary!);
  return types.isRecursive(dictionary!) ? `{ [key: string]: ${value} }` : `Record<string, ${value}>`;
}
