// Arrays, texts, buffers and trees.
import { hex, list, random, record, skewed, text, whole, wide } from './make.mjs';

const tree = (depth) =>
  depth === 0 || random() < 0.15
    ? { leaf: text(skewed(1, 60)) }
    : { left: tree(depth - 1), right: tree(depth - 1), n: whole(0, 1e5) };
class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
}

export const LISTS = {
  'list: 1,000 records': () => list(50, () => list(1000, record)),
  'list: 1 to 5,000 records': () => list(80, () => list(skewed(1, 5000), record)),
  'list: of lists with skewed lengths': () =>
    list(20, () => list(50, () => list(skewed(0, 600, 6), () => whole(0, 1e6)))),
  'list: one of 30 is 1,000 times as long': () =>
    list(15, () => list(30, (i) => ({ i, items: list(i === 17 ? 20_000 : 20, () => text(8)) }))),
  'list: doubles': () => list(20, () => list(100_000, random)),
  'list: integers of any length': () => list(20, () => list(50_000, () => skewed(0, 2 ** 31 - 1, 12))),
  'list: sorted by length': () => list(10, () => list(3000, (i) => text(Math.floor(i ** 2 / 20_000)))),
  'list: ascending numbers': () => list(10, () => list(30_000, (i) => ({ at: i * i }))),
  'list: optional fields': () =>
    list(60, () =>
      list(whole(50, 400), (i) => ({
        i,
        ...(random() < 0.3 && { name: text(whole(5, 30)) }),
        ...(random() < 0.1 && { error: { message: text(80), stack: text(500) } }),
        ...(random() < 0.02 && { blob: hex(1500) }),
      })),
    ),
  'list: holes': () => list(20, () => Object.assign(new Array(2000), dictionaryOf(300))),
  'texts: of any length': () => list(5000, () => text(skewed(20, 2000))),
  'texts: two bytes': () => list(100, () => wide(whole(1000, 60_000))),
  'texts: of one and two bytes': () =>
    list(60, () => ({ texts: list(200, () => (random() < 0.4 ? wide : text)(whole(10, 400))) })),
  'buffers: views that fill them': () => list(20, (i) => ({ i, pixels: new Uint8Array(1_000_000 + i) })),
  'buffers: views of larger ones': () =>
    list(50, (i) => ({ i, part: new Uint8Array(100_000).subarray(i, i + 500) })),
  'buffers: many small ones': () =>
    list(20, () => list(1500, (i) => ({ i, hash: new Uint8Array(whole(16, 64)) }))),
  'trees: of any depth': () => list(40, () => tree(whole(4, 13))),
  'graph: cycles': () =>
    list(15, () => {
      const nodes = list(1200, (id) => ({ id, next: [], label: text(whole(1, 25)) }));
      for (const node of nodes) node.next.push(...list(3, () => nodes[whole(0, 1199)]));
      return nodes;
    }),
  'shared: ten large objects among 2,000 records': () =>
    list(8, () => {
      const shared = list(10, (i) => ({ i, rules: list(300, () => text(20)) }));
      return list(2000, (id) => ({ id, name: text(10), of: shared[whole(0, 9)] }));
    }),
  'kinds: dates, errors, bigints, classes': () =>
    list(40, () => ({
      dates: list(whole(10, 400), (i) => new Date(17e11 + i)),
      errors: list(whole(0, 20), () => Object.assign(new Error(text(30)), { stack: text(whole(200, 900)) })),
      large: list(50, (i) => 10n ** BigInt(whole(1, 60)) + BigInt(i)),
      points: list(whole(10, 900), () => new Point(random(), whole(0, 100))),
    })),
};

const dictionaryOf = (count) => Object.fromEntries(list(count, () => [whole(0, 1999), text(whole(3, 30))]));
