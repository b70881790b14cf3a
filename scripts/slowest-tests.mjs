// Reporter of node:test: the files that took longest, and the whole time. From events that come as things happen, not in order.
const SHOWN = 10;

export default async function* slowestTests(events) {
  const began = performance.now();
  const files = new Map();
  for await (const { type, data } of events) {
    const [, file] = /[\\/]\d+ (.*)\.mjs$/.exec(data?.name ?? '') ?? [];
    if (file === undefined || (type !== 'test:dequeue' && type !== 'test:complete')) continue;
    const now = performance.now();
    const { from = now } = files.get(file) ?? {};
    files.set(file, { from, ms: now - from });
  }
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);
  const slowest = [...files].sort(([, a], [, b]) => b.ms - a.ms).slice(0, SHOWN);
  for (const [file, { ms }] of slowest) yield `ℹ ${seconds(ms)}  ${file}\n`;
  yield `ℹ ${seconds(performance.now() - began)}  in all\n`;
}
