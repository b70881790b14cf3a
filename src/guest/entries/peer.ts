import { EventReceiveTimer, PortReceiveTimer, type ReceiveTimer } from '../measure/loop/receive-timer.ts';
import { ValueSource } from '../measure/loop/value-source.ts';
import { prepareVariants } from '../measure/loop/variants.ts';
import { Echo } from '../measure/peer/echo.ts';
import type { Endpoint } from '../measure/peer/endpoint.ts';
import { PeerFailures } from '../measure/peer/failures.ts';
import type { PeerReady, PeerResults, PeerStart } from '../measure/peer/handshake.ts';
import { PostedInstructionReader, SharedInstructions } from '../measure/peer/instructions.ts';
import type { ProfilePlace, SideProfiler } from '../measure/profile/side-profiler.ts';
import { childEndpoint, IPC_ARGUMENT } from '../platform/child-process.ts';
import { currentPlatform } from '../platform/platform.ts';
import { guardProcess, messageOf } from '../user-code/user-code.ts';

const ground = currentPlatform();
const home = process.argv[2] === IPC_ARGUMENT ? childEndpoint() : ground.parentEndpoint();

function laneFor(start: PeerStart): Endpoint {
  if (start.port) return ground.portEndpoint(start.port);
  return start.channel === 'broadcast' ? ground.broadcastEndpoint(start.token) : home;
}

function takeFrom(quiet: MessagePort | null, control: SharedInstructions): ReceiveTimer {
  return quiet ? new PortReceiveTimer(quiet, control) : new EventReceiveTimer(control);
}

/** Evaluated only when asked for: a measured peer starts without it. */
async function profilerFor(place: ProfilePlace): Promise<SideProfiler> {
  const { SideProfiler } = await import('../measure/profile/side-profiler.ts');
  return new SideProfiler('receiver', place);
}

/** Builds everything first and says so last, so that the first message finds nothing left to do. */
async function begin(start: PeerStart): Promise<void> {
  const lane = laneFor(start);
  const ready: PeerReady = { failed: null, failures: [] };
  try {
    const source = new ValueSource(start.recipe, ground.postingChangesValues);
    const { factories: forms, samples: tallies } = await prepareVariants(
      start.variants,
      source,
      lane.transfers,
    );
    for (const [index, { error }] of tallies.entries())
      if (error !== null) ready.failures.push([index, error]);
    const control = start.memory && new SharedInstructions(start.memory);
    const taking = control && { timer: takeFrom(start.oneWay, control), control };
    const watch = ground.watchGc?.() ?? null;
    const profiler = start.profile && (await profilerFor(start.profile));
    const farewell = async (): Promise<PeerResults> => ({
      gc: watch?.stop() ?? null,
      profile: (await profiler?.stop().catch(messageOf)) ?? null,
    });
    await profiler?.start();
    new Echo(
      lane,
      control ?? new PostedInstructionReader(start.token),
      forms,
      new PeerFailures(start.token),
      taking,
      () => void farewell().then((words) => lane.post(words)),
    );
  } catch (error) {
    ready.failed = messageOf(error);
  }
  home.post(ready);
}

guardProcess();
home.onMessage = (data) => void begin(data as PeerStart);
