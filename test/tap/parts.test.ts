import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'node:util';
import { changesOf, partsOf } from '../../src/tap/look/parts.ts';

const changes = (before: unknown, after: unknown) =>
  changesOf(partsOf(before, types)!, partsOf(after, types)!);

const users = Array.from({ length: 20 }, (_, id) => ({ id, name: `user ${id}`, isHere: true }));
const state = { users, session: { lastSeen: 1, token: 'x'.repeat(100) }, byId: { 'a b': 1, '17': 2 } };

const ROWS: { what: string; after: unknown; equal: number; paths: string[] }[] = [
  { what: 'nothing', after: structuredClone(state), equal: 1, paths: [] },
  {
    what: 'a field',
    after: { ...state, session: { ...state.session, lastSeen: 2 } },
    equal: 0.9,
    paths: ['$.session.lastSeen'],
  },
  {
    what: 'a field of some elements',
    after: { ...state, users: users.map((one) => ({ ...one, isHere: one.id > 2 })) },
    equal: 0.9,
    paths: ['$.users[*].isHere'],
  },
  {
    what: 'one more element',
    after: { ...state, users: [...users, users[0]] },
    equal: 0.9,
    paths: ['$.users[*]'],
  },
  {
    what: 'keys that are data',
    after: { ...state, byId: { 'a b': 2, '17': 3 } },
    equal: 0.9,
    paths: ['$.byId.*'],
  },
  { what: 'a key more', after: { ...state, more: null }, equal: 0.9, paths: ['$.more'] },
  { what: 'a key less', after: { users, byId: state.byId }, equal: 1, paths: ['$'] },
  { what: 'another kind', after: [], equal: 0, paths: ['$'] },
  { what: 'what is not read', after: { ...state, byId: new Map() }, equal: 0.9, paths: ['$.byId'] },
];

for (const { what, after, equal, paths } of ROWS)
  test(`of messages one after the other: ${what}`, () => {
    const found = changes(state, after);
    assert.deepEqual(found.paths, paths);
    assert.ok(found.equal >= equal, `${found.equal}`);
    assert.ok(equal === 1 || found.equal < 1);
  });

test('nothing of the message runs, and what is large is read in part', () => {
  const ran: string[] = [];
  const getter = {
    get value() {
      ran.push('getter');
      return 1;
    },
    toJSON: () => ran.push('toJSON'),
  };
  const trap = <T>(result: T): T => {
    ran.push('trap');
    return result;
  };
  const proxy = new Proxy({}, { ownKeys: () => trap([]), getPrototypeOf: () => trap(null) });
  const circle: { self?: unknown; getter: object; proxy: object } = { getter, proxy };
  circle.self = circle;
  const large = Array.from({ length: 100_000 }, (_, i) => ({ i, circle, text: 'x'.repeat(10) }));
  changes(circle, large);
  assert.ok(changes({ large }, { large, more: 1 }).equal < 1);
  assert.deepEqual(ran, []);
});
