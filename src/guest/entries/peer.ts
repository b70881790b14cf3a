import { EventTake, PortTake, type Take } from '../measure/loop/receive-timer.ts';
import { Source } from '../measure/loop/value-source.ts';
import { enter } from '../measure/loop/variants.ts';
import { Echo } from '../measure/peer/echo.ts';
import type { Lane } from '../measure/peer/endpoint.ts';
import { Faults } from '../measure/peer/failures.ts';
import type { Farewell, Ready, Start } from '../measure/peer/handshake.ts';
import { ControlBlock, PostedOrderReader } from '../measure/peer/instructions.ts';
import type { ProfilePlace, SideProfiler } from '../measure/profile/side-profiler.ts';
import { childLane, IPC_ARGUMENT } from '../platform/child-process.ts';
import { groundHere } from '../platform/platform.ts';
import { guardProcess, sayingOf } from '../user-code/user-code.ts';

const ground = groundHere();
const home = process.argv[2] === IPC_ARGUMENT ? childLane() : ground.parentLane();

function laneFor(start: Start): Lane {
  if (start.port) return ground.portLane(start.port);
  return start.channel === 'broadcast' ? ground.broadcastLane(start.token) : home;
}

function takeFrom(quiet: MessagePort | null, control: ControlBlock): Take {
  return quiet ? new PortTake(quiet, control) : new EventTake(control);
}

/** Evaluated only when asked for: a measured peer starts without it. */
async function profilerFor(place: ProfilePlace): Promise<SideProfiler> {
  const { SideProfiler } = await import('../measure/profile/side-profiler.ts');
  return new SideProfiler('receiver', place);
}

/** Builds everything first and says so last, so that the first message finds nothing left to do. */
async function begin(start: Start): Promise<void> {
  const lane = laneFor(start);
  const ready: Ready = { failed: null, faults: [] };
  try {
    const source = new Source(start.recipe, ground.leavesTraces);
    const { forms, tallies } = await enter(start.contestants, source, lane.transfers);
    for (const [index, { error }] of tallies.entries()) if (error !== null) ready.faults.push([index, error]);
    const control = start.memory && new ControlBlock(start.memory);
    const taking = control && { take: takeFrom(start.quiet, control), control };
    const watch = ground.watchGc?.() ?? null;
    const profiler = start.profile && (await profilerFor(start.profile));
    const farewell = async (): Promise<Farewell> => ({
      gc: watch?.stop() ?? null,
      profile: (await profiler?.stop().catch(sayingOf)) ?? null,
    });
    await profiler?.start();
    new Echo(
      lane,
      control ?? new PostedOrderReader(start.token),
      forms,
      new Faults(start.token),
      taking,
      () => void farewell().then((words) => lane.post(words)),
    );
  } catch (error) {
    ready.failed = sayingOf(error);
  }
  home.post(ready);
}

guardProcess();
home.onMessage = (data) => void begin(data as Start);
