// Objects with computed keys.
import { dictionary, hex, list, random, record, skewed, text, uuid, whole, wide } from './make.mjs';

export const DICTIONARIES = {
  'dictionary: 5,000 integer keys': () => [
    dictionary(
      5000,
      (i) => i,
      (i) => record(i, 60),
    ),
  ],
  'dictionary: 300,000 keys, 1 message': () => [
    dictionary(
      300_000,
      (i) => `user:${i}`,
      (i) => ({ id: i, name: `name ${i}`, note: 'x'.repeat(whole(100, 380)) }),
    ),
  ],
  'dictionary: large integer keys': () =>
    list(10, () =>
      dictionary(
        whole(500, 3000),
        () => whole(1e5, 2e9),
        () => random(),
      ),
    ),
  'dictionary: hex keys, numbers': () =>
    list(20, () =>
      dictionary(
        2000,
        () => hex(16),
        () => whole(0, 1e6),
      ),
    ),
  'dictionary: uuid keys, records': () =>
    list(3, () => dictionary(8000, uuid, (i) => ({ at: 17e11 + i, ok: true }))),
  'dictionary: keys of 1 to 200 units': () =>
    list(12, () =>
      dictionary(
        3000,
        (i) => text(skewed(1, 200)) + i,
        () => text(whole(0, 30)),
      ),
    ),
  'dictionary: 1 to 400 keys': () =>
    list(200, () =>
      dictionary(
        skewed(1, 400, 2),
        (i) => `key-${i}`,
        (i) => i * 3,
      ),
    ),
  'dictionary: within a message': () =>
    list(30, (i) => ({ type: 'cache', at: i, data: dictionary(whole(200, 1500), () => hex(8), record) })),
  'dictionary: of dictionaries': () =>
    list(5, () =>
      dictionary(
        60,
        () => hex(6),
        () =>
          dictionary(
            skewed(1, 300, 3),
            () => hex(4),
            () => whole(0, 99),
          ),
      ),
    ),
  'dictionary: keys of two bytes': () =>
    list(10, () =>
      dictionary(
        800,
        (i) => wide(6) + i,
        () => true,
      ),
    ),
  'Map: 5,000 records': () =>
    list(4, () => new Map(list(5000, (i) => [uuid(), { i, name: text(whole(2, 20)) }]))),
  'Map: small ones of any size': () =>
    list(500, () => new Map(list(skewed(0, 80), (i) => [`k${i}`, text(whole(0, 9))]))),
  'Set: 20,000 texts': () => list(5, () => new Set(list(20_000, (i) => text(whole(3, 30)) + i))),
};
