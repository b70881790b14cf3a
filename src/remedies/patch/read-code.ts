/** `applyPatch`, with types in comments (code/dialect.ts). */
export const READ_PATCH = `/** The payload that a patch makes of previous, which is not changed: what is equal is shared by both. */
export function applyPatch(previous/*: unknown */, patch/*: Patch */)/*: Payload */ {
  const made = patch.length === 1 ? previous : new PatchReader(patch).read(previous);
  return made/*as Payload */;
}

class PatchReader {
  patch/*: Patch */;
  at/*: number */;
  keys/*: string[] */;

  constructor(patch/*: Patch */) {
    this.patch = patch;
    this.at = patch.length - 1;
    this.keys = this.next()/*as string[] */;
  }

  next()/*: unknown */ {
    return this.patch[this.at--];
  }

  read(previous/*: unknown */)/*: unknown */ {
    const kind = this.next();
    if (kind === SET) return this.next();
    return kind === OBJECT ? this.object(previous/*as Keyed */) : this.list(previous/*as Items */, kind === PICK);
  }

  object(previous/*: Keyed */)/*: Keyed */ {
    const changed = this.next()/*as number */;
    const gone = new Set/*<unknown> */();
    for (let left = this.next()/*as number */; left > 0; left--) gone.add(this.key());
    const isThere = ([key]/*: [string, unknown] */) => !gone.has(key);
    const copy =
      gone.size === 0 ? { ...previous } : Object.fromEntries(Object.entries(previous).filter(isThere));
    for (let left = changed; left > 0; left--) {
      const key = this.key();
      setKey(copy, key, this.read(copy[key]));
    }
    return copy;
  }

  list(previous/*: Items */, isPicked/*: boolean */)/*: Items */ {
    const copy = isPicked ? pick(previous, this.next()/*as unknown[] */) : previous.slice();
    for (let left = this.next()/*as number */; left > 0; left--) {
      const index = this.next()/*as number */;
      copy[index] = this.read(copy[index]);
    }
    return copy;
  }

  key()/*: string */ {
    return this.keys[this.next()/*as number */]/*as string */;
  }
}

function pick(previous/*: Items */, runs/*: unknown[] */)/*: Items */ {
  const list/*: Items */ = [];
  for (let at = 0; at < runs.length; at += 2) {
    const first = runs[at]/*as number */;
    if (first === NEW) list.push(runs[at + 1]);
    else for (let i = 0; i < (runs[at + 1]/*as number */); i++) list.push(previous[first + i]);
  }
  return list;
}

function setKey(object/*: object */, key/*: string */, value/*: unknown */)/*: void */ {
  if (key !== '__proto__') (object/*as Keyed */)[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}`;
