// Small and large messages from one line, inside an envelope.
import { list, random, record, skewed, text, whole } from './make.mjs';

const comlink = (id, value) => ({ id, type: 'APPLY', path: ['run'], argumentList: [{ type: 'RAW', value }] });
const rpc = (id, result) => ({ jsonrpc: '2.0', id, result });
const LARGE = 1_000_000;

export const ENVELOPES = {
  'envelope: 40 small, then 5 of 1 MB': () => list(45, (i) => comlink(i, text(i < 40 ? 20 : LARGE))),
  'envelope: 5 of 1 MB, then 40 small': () => list(45, (i) => comlink(i, text(i < 5 ? LARGE : 20))),
  'envelope: 1 of 10 is large': () =>
    list(300, (i) => comlink(i, random() < 0.1 ? list(800, record) : { ok: i })),
  'envelope: lists of records, 40 small, 5 large': () =>
    list(45, (i) => comlink(i, { rows: list(i < 40 ? 2 : 8000, record) })),
  'rpc: null, then results': () =>
    list(100, (i) => rpc(i, i < 30 ? null : { items: list(whole(1, 300), record) })),
  'rpc: results of any size': () => list(200, (i) => rpc(i, { items: list(skewed(0, 2000, 5), record) })),
  'rpc: deep in options': () =>
    list(120, (id) => ({
      id,
      params: { args: [{ options: { data: text(id % 12 === 7 ? 300_000 : 50) } }] },
    })),
  'union: six kinds of one envelope': () =>
    list(600, (i) => ({
      type: `kind${i % 6}`,
      payload: [
        () => whole(0, 100),
        () => ({ text: text(whole(10, 200)) }),
        () => list(whole(1, 60), record),
        () => ({ a: { b: { c: list(whole(1, 200), () => random()) } } }),
        () => null,
        () => new Uint8Array(whole(10, 20_000)),
      ][i % 6](),
    })),
  'growing: a list of all so far': () => {
    const all = [];
    return list(300, (i) => {
      all.push(record(i));
      return { type: 'state', all: [...all] };
    });
  },
  'growing: a text': () => list(400, (i) => ({ log: text(i * 150) })),
  'outliers: 1 of 250 is 500 times as large': () =>
    list(2000, (i) => ({ type: 'event', detail: { items: list(i % 250 === 201 ? 2500 : 5, record) } })),
  'outliers: one of 1,000 texts': () => list(1000, (i) => text(i === 637 ? 3_000_000 : 100)),
  'small: 20,000 events': () =>
    list(20_000, (i) => ({ type: 'tick', i, x: random(), label: text(whole(3, 12)) })),
  'small: numbers': () => list(20_000, (i) => i),
};
