import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement } from '../../../src/model/documents/measurement.ts';
import type { Trial } from '../../../src/model/documents/trial.ts';
import type { MemoryUse } from '../../../src/model/wire/wire.ts';
import { ORIGINAL } from '../../../src/stats/intervals/variant-samples.ts';
import { messagesInFlight, withMemory, worthMeasuringMemory } from '../../../src/stats/race/judge.ts';
import * as make from '../../make.ts';

const GB = 1e9;

const flights: [name: string, bytes: number, tripMs: number, machineBytes: number, messages: number][] = [
  ['as many as fill 64 MB', 1e6, 1, 16 * GB, 64],
  ['as many as 150 ms allow', 1e6, 30, 16 * GB, 10],
  ['one where one takes longer', 20e6, 1000, 16 * GB, 1],
  ['one where one is larger', 500e6, 1, 16 * GB, 1],
  ['no more than 20,000 of the smallest', 5, 0.001, 16 * GB, 20_000],
  ['a small machine holds less', 1e6, 1, GB, 31],
  ['size unknown', 0, 0.01, 16 * GB, 20_000],
];

for (const [name, bytes, tripMs, machineBytes, messages] of flights) {
  test(`the number of messages in flight: ${name}`, () =>
    assert.equal(messagesInFlight({ bytes, tripMs, machineBytes }), messages));
}

const ratio = (value: number) => ({ ratio: value, ci: [value, value] as [number, number] });

const trial = (remedy: string, over: Partial<Trial> = {}): Trial =>
  make.trial(remedy, 1, {
    ...{ withConversion: ratio(1), inPlace: null, outcome: 'unsure', outcomeInPlace: 'unsure' },
    ...over,
  });

test('memory is measured for equal remedies that are faster, the fastest first', () => {
  const trials = [
    trial('unsure'),
    trial('slower', { outcome: 'slower', withConversion: ratio(2) }),
    trial('lossy', { equality: 'lossy', outcome: 'faster', withConversion: ratio(0.1) }),
    trial('fast', { outcome: 'faster', withConversion: ratio(0.5) }),
    trial('refused', { outcome: 'refused', withConversion: null }),
    trial('faster', { outcome: 'faster', withConversion: ratio(0.2) }),
  ];
  assert.deepEqual(
    worthMeasuringMemory(trials).map(({ remedy }) => remedy),
    ['faster', 'fast'],
  );
});

const occupied = (perMessage: number, messages = 100): MemoryUse => ({
  type: 'memory-use',
  bytes: perMessage * messages,
  perMessage,
  messages,
  baselineBytes: 0,
});

const measurement = { peakMemory: null } as unknown as Measurement;

const rows = [
  ['the middle process counts', [1e6, 5e6, 2e6], [1e6, 1e6, 9e6], 2e6, 0.5],
  ['no memory beside some', [1e6], [0], 1e6, 0],
  ['nothing is so many times nothing', [20], [1e6], 20, null],
  ['the remedy was not weighed', [1e6], [], 1e6, null],
  ['nothing was weighed', [], [], null, null],
] as const;

for (const [name, original, remedy, perMessage, expected] of rows) {
  test(`memory: ${name}`, () => {
    const one = trial('json-text');
    const judged = withMemory(
      {
        measurement,
        trials: [one, trial('other', { plan: { path: '$.x' } })],
        otherChannel: null,
        afterReceiving: null,
        noise: null,
        waited: null,
        widened: 0,
      },
      new Map([
        [ORIGINAL, original.map((bytes) => occupied(bytes))],
        [{ ...one, id: 'one', mode: 'with-conversion' }, remedy.map((bytes) => occupied(bytes))],
      ]),
    );
    assert.equal(judged.measurement?.peakMemory?.perMessage ?? null, perMessage);
    assert.deepEqual(
      judged.trials.map(({ peakMemory }) => peakMemory?.ratio ?? null),
      [expected, null],
    );
  });
}
