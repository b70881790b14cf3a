/** Factories of payloads for tests and benches of measuring. Each call gives a new value. */
export const rows = (count = 256) =>
  Array.from({ length: count }, (_, i) => ({ id: i, name: `row ${i}`, score: i / 3, active: i % 2 === 0 }));

export const flat = () => ({ id: 1, name: 'one', active: true, score: 0.5 });
