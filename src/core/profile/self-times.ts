/** A CPU profile in the format of V8's inspector (Profiler.Profile), also used by Bun and v8-profiler-next. Times in µs. */
export interface CpuProfile {
  nodes: CpuNode[];
  startTime: number;
  endTime: number;
  /** Top node of each sample. */
  samples?: number[];
  /** Time between a sample and the previous sample. */
  timeDeltas?: number[];
}

export interface CpuNode {
  id: number;
  callFrame: CallFrame;
  hitCount?: number;
  children?: number[];
}

/** Lines and columns start at 0. */
export type CallFrame = Record<'functionName' | 'url', string> &
  Record<'lineNumber' | 'columnNumber', number>;

/** Self time of each node, µs: a sample counts until the next sample. */
export function selfTimes(profile: CpuProfile): Map<number, number> {
  const times = new Map<number, number>();
  const { samples, timeDeltas } = profile;
  if (samples === undefined || timeDeltas === undefined) return byHits(profile);
  let last = profile.startTime;
  for (const [index, node] of samples.entries()) {
    // The clocks of different cores may differ by some µs, so time may go back.
    last += timeDeltas[index] ?? 0;
    const lasted = timeDeltas[index + 1] ?? profile.endTime - last;
    times.set(node, (times.get(node) ?? 0) + Math.max(0, lasted));
  }
  return times;
}

/** Self times for a profile without a list of samples: each hit counts equally. */
function byHits({ nodes, startTime, endTime }: CpuProfile): Map<number, number> {
  const hits = nodes.reduce((sum, node) => sum + (node.hitCount ?? 0), 0);
  const each = hits === 0 ? 0 : (endTime - startTime) / hits;
  return new Map(nodes.map(({ id, hitCount = 0 }) => [id, hitCount * each]));
}
