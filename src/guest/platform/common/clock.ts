const { process: host } = globalThis as { process?: { type?: string; hrtime: { bigint(): bigint } } };
const ticks = host?.hrtime?.bigint;

/**
 * Taken before user code loads: fake timers replace it. It is as fast as the call of the global. Electron's renderers
 * use a different clock, because theirs has the coarse steps of a page.
 */
const clock =
  host?.type === 'renderer' && ticks ? () => Number(ticks()) / 1e6 : performance.now.bind(performance);

/**
 * The clock of all timing in the guest, in ns. `performance.now` is the cheapest clock of fine resolution on every
 * process runtime: 35-50 ns a call on Node 20-26 and Bun, 90 ns on Deno, with steps no coarser than the call;
 * `process.hrtime.bigint` costs 50-60 (110) ns. One message is therefore one sample; if steps are coarser (pages) it is
 * a block of messages.
 */
export function now(): number {
  return clock() * 1e6;
}

/** Steps below this are finer than any message needs. */
const COARSE_NS = 1000;
const TICKS = 8;

let step: number | null = null;

/**
 * The step of the clock, ns; 0 if it is fine. Pages: 5 to 20 µs if they are isolated, else 100 µs to 1 ms (High
 * Resolution Time, section 9.1). Takes up to 8 steps the first time.
 */
export function measureStep(): number {
  if (step !== null) return step;
  let smallest = Number.POSITIVE_INFINITY;
  for (let tick = 0, before = now(); tick < TICKS; tick++) {
    let at = before;
    while (at === before) at = now();
    smallest = Math.min(smallest, at - before);
    before = at;
  }
  step = smallest < COARSE_NS ? 0 : smallest;
  return step;
}
