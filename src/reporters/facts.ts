/** Facts of a payload, a run or the machine as short phrases, for one line. */
import type { Measurement, PayloadReport, Report, Run } from '../model/report.ts';
import type { Shape } from '../model/shape.ts';
import { phaseFacts } from './circumstances.ts';
import { bytes, count, counted, percent, time } from './numbers.ts';

const known = (facts: readonly (string | null)[]): string[] => facts.filter((fact) => fact !== null);

/** "1,204 values", "4 levels deep", "5.12 kB as JSON": how large the payload is. */
export function sizeFacts({ runs, stands }: PayloadReport): string[] {
  const shape = runs.find((run) => run.shape !== null)?.shape ?? null;
  return known([
    ...(shape === null ? [] : shapeFacts(shape)),
    stands === undefined || stands < 2 ? null : `stands for ${count(stands)} messages`,
  ]);
}

function shapeFacts({ nodes, depth, jsonBytes, truncated }: Shape): (string | null)[] {
  return [
    counted(nodes, 'value'),
    depth === 0 ? null : `${counted(depth, 'level')} deep`,
    jsonBytes === null ? null : `${bytes(jsonBytes)} as JSON`,
    truncated.items ? 'too large to look at every part' : null,
  ];
}

/** Channel and wire size, where all runs of a section share them. */
export function runFacts(runs: readonly Run[]): string[] {
  const [first] = runs;
  const wire = first?.wireBytes ?? null;
  const shared = runs.every(({ wireBytes }) => wireBytes === wire);
  return known([first?.channel ?? null, shared && wire !== null ? `${bytes(wire)} on the wire` : null]);
}

/** How the times were taken, and what else was seen while they were. */
export function measuringFacts({ roundTrip, cold, phases, peakMemory, gc }: Measurement): string[] {
  return known([
    `${counted(roundTrip.samples, 'message')} in ${counted(roundTrip.processes, 'process', 'processes')}`,
    `first one ${time(cold.roundTrip)}`,
    ...(phases ? phaseFacts(phases) : []),
    peakMemory === null
      ? null
      : `memory ${bytes(peakMemory.perMessage)} per message (${count(peakMemory.messages)} in flight)`,
    gc === null ? null : `garbage collection ${percent(gc.share)}`,
  ]);
}

export function machineFacts({ machine, tool, seed }: Report): string[] {
  return [
    `${machine.os} ${machine.arch}`,
    machine.cpu,
    counted(machine.cores, 'core'),
    bytes(machine.memoryBytes),
    `seed ${seed}`,
    `clone-prof ${tool.version}`,
  ];
}
