// A message as JSON, without the contents of its buffers, and made again of it. The text of this file stands in both counters, in
// modules of payloads and in the checks. It shares no code with the recorder.

/** Larger messages are not told. */
const MAX_PARTS = 200_000;
const VIEWS = /^(Buffer|DataView|(Big)?(Int|Uint|Float)\d+(Clamped)?Array)$/;
const ERRORS = /^(Eval|Range|Reference|Syntax|Type|URI)?Error$/;

/** @returns `parts`: each object once; a reference to one is `[index]`; `listed`: those of the transfer list */
function toldValue(message, transfer, storage) {
  const ids = new Map();
  const parts = [];
  const hidden = [];

  function told(value) {
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value === 'number')
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ['number', Object.is(value, -0) ? '-0' : `${value}`];
    if (typeof value === 'bigint') return ['bigint', `${value}`];
    if (value === undefined) return ['undefined'];
    if (typeof value !== 'object') throw new TypeError(`a ${typeof value}`);
    if (!ids.has(value)) {
      const id = ids.size;
      if (id >= MAX_PARTS) throw new RangeError('too large');
      ids.set(value, id);
      parts[id] = partOf(value);
      if (/Array|Object/.test(parts[id][0])) hide(value, id);
    }
    return [ids.get(value)];
  }

  /** Tells of properties that are not enumerable; what they have is not sent. */
  function hide(value, id) {
    if (ArrayBuffer.isView(value)) return;
    const isHidden = (key) => key !== 'length' && !Object.prototype.propertyIsEnumerable.call(value, key);
    for (const key of Object.getOwnPropertyNames(value).filter(isHidden)) hidden.push([id, key]);
  }

  const all = (values) => Array.from(values, told);

  function partOf(value) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    const proto = Object.getPrototypeOf(value);
    const name = proto === null ? null : `${proto.constructor?.name}`;
    if (kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer') return [kind, value.byteLength];
    if (ArrayBuffer.isView(value))
      return [name, told(value.buffer), value.byteOffset, value.length ?? value.byteLength];
    if (Array.isArray(value))
      return [
        storage.isHoley(value) ? 'HoleyArray' : 'Array',
        value.length,
        Object.keys(value).map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
        Object.values(value).map(told),
      ];
    if (value instanceof Map) return ['Map', all(value.keys()), all(value.values())];
    if (value instanceof Set) return ['Set', all(value)];
    if (value instanceof Date) return ['Date', told(value.getTime())];
    if (value instanceof RegExp) return ['RegExp', value.source, value.flags];
    if (value instanceof Error && ERRORS.test(value.name)) {
      const own = Object.keys(value);
      return [
        'Error',
        value.name,
        value.message,
        `${value.stack}`,
        told(value.cause),
        own,
        own.map((key) => told(value[key])),
      ];
    }
    if (kind === 'Number' || kind === 'String' || kind === 'Boolean' || kind === 'BigInt')
      return [kind, told(value.valueOf())];
    if (kind === 'MessagePort') return [kind];
    // Objects of the platform cannot be made again here.
    if (name !== 'Object' && name !== null && globalThis[name] === proto.constructor)
      throw new TypeError(name);
    return [
      storage.isSlow(value) ? 'SlowObject' : 'Object',
      name,
      Object.keys(value),
      Object.values(value).map(told),
    ];
  }

  const value = told(message);
  const frozen = [...ids].flatMap(([one, id]) =>
    ArrayBuffer.isView(one) || !Object.isFrozen(one) ? [] : id,
  );
  return { value, parts, hidden, frozen, listed: transfer.flatMap((one) => ids.get(one) ?? []) };
}

const classes = new Map();
/** Of the same name for all objects. */
function classOf(name) {
  if (!classes.has(name)) classes.set(name, { [name]: class {} }[name].prototype);
  return classes.get(name);
}

/** What `toldValue` told: the message, and its transfer list. */
function madeValue(told) {
  try {
    return madeOf(told, true);
  } catch {
    // An object that is in itself.
    return madeOf(told, false);
  }
}

/** @param isWhole objects are made of all their entries at once: keys that are added one after the other make a table when they are some */
function madeOf({ value, parts, hidden, frozen, listed }, isWhole) {
  const all = [];

  function made(told) {
    // In Bun a text of a literal is stored otherwise than one that a program made.
    if (typeof told === 'string') return globalThis.Bun ? told.split('').join('') : told;
    if (!Array.isArray(told)) return told;
    const [of, text] = told;
    if (of === 'undefined') return undefined;
    if (of === 'number') return Number(text);
    if (of === 'bigint') return BigInt(text);
    all[of] ??= partOf(parts[of], (one) => {
      all[of] = one;
      return one;
    });
    return all[of];
  }

  /** @param known takes a container before what is in it, which may refer to it */
  function partOf([kind, ...told], known) {
    const [first, second, third] = told;
    if (kind === 'ArrayBuffer') return new ArrayBuffer(first);
    if (kind === 'SharedArrayBuffer') return new SharedArrayBuffer(first);
    if (kind === 'Buffer') return Buffer.from(made(first), second, third);
    if (VIEWS.test(kind)) return new globalThis[kind](made(first), second, third);
    if (kind === 'Array' || kind === 'HoleyArray') {
      const array = known(kind === 'Array' ? [] : new Array(first));
      for (const [at, key] of second.entries()) array[key] = made(third[at]);
      array.length = first;
      return array;
    }
    if (kind === 'Map') {
      const map = known(new Map());
      for (const [at, key] of first.entries()) map.set(made(key), made(second[at]));
      return map;
    }
    if (kind === 'Set') {
      const set = known(new Set());
      for (const one of first) set.add(made(one));
      return set;
    }
    if (kind === 'Date') return new Date(made(first));
    if (kind === 'RegExp') return new RegExp(first, second);
    if (kind === 'Error') {
      const cause = made(told[3]);
      const error = known(new globalThis[first](second, cause === undefined ? undefined : { cause }));
      error.stack = third;
      for (const [at, key] of told[4].entries()) error[key] = made(told[5][at]);
      return error;
    }
    if (kind === 'MessagePort') return new MessageChannel().port1;
    if (kind !== 'Object' && kind !== 'SlowObject') return Object(made(first));
    if (isWhole && kind === 'Object' && first === 'Object')
      return Object.fromEntries(second.map((key, at) => [key, made(third[at])]));
    const object = known(first === 'Object' ? {} : Object.create(first === null ? null : classOf(first)));
    for (const [at, key] of second.entries()) object[key] = made(third[at]);
    if (kind === 'SlowObject') {
      // An object whose first property was deleted has a table of keys.
      object.first = 0;
      object.last = 0;
      delete object.first;
      delete object.last;
    }
    return object;
  }

  const message = made(value);
  for (const [id, key] of hidden) Object.defineProperty(made([id]), key, { value: 0, enumerable: false });
  for (const id of frozen) Object.freeze(made([id]));
  return { value: message, transfer: listed.map((id) => made([id])) };
}

const UNKNOWN = { isHoley: () => false, isSlow: () => false };

/** Keeps some of the messages of each site: as many as are useful, of each size two. */
function someOf({ maxEach = 300, maxBytes = 4e6, storage = UNKNOWN } = {}) {
  const counts = new Map();
  const next = (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  /** @returns null for those that are not kept */
  return (site, size, message, transfer) => {
    if (size > maxBytes || next(`${site} ${size}`) > 2 || next(site) > maxEach) return null;
    try {
      return {
        size,
        told: toldValue(message, Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []), storage),
      };
    } catch {
      return null;
    }
  };
}

if (typeof exports === 'object') {
  exports.madeValue = madeValue;
  exports.someOf = someOf;
}
