/** The worker or child process at the other end of measured and profiled messages. */
import { flatMap, map } from '../../core/value/lists.ts';
import { farEndpoint } from '../channel/channel.ts';
import { Echo, type ReceiveTiming } from '../measure/peer/echo.ts';
import { PeerFailures } from '../measure/peer/failures.ts';
import type { PeerReady, PeerResults, PeerStart } from '../measure/peer/handshake.ts';
import { PostedInstructionReader, SharedInstructions } from '../measure/peer/instructions.ts';
import { EventReceiveTimer, PortReceiveTimer } from '../measure/peer/receive-timer.ts';
import type { ProfileTarget, SideProfiler } from '../measure/peer/side-profiler.ts';
import { prepareVariants } from '../measure/variants/prepare.ts';
import type { Endpoint } from '../platform/common/endpoint.ts';
import { currentPlatform } from '../platform/current.ts';
import { messageOf } from '../user-code/thrown.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const platform = currentPlatform();
const parent = platform.parentEndpoint();

function timingOf({ memory, oneWay }: PeerStart): ReceiveTiming | null {
  if (memory === null) return null;
  const shared = new SharedInstructions(memory);
  const { receiveOnPort } = platform;
  const timer =
    oneWay && receiveOnPort
      ? new PortReceiveTimer(oneWay, receiveOnPort, shared)
      : new EventReceiveTimer(shared);
  return { timer, shared };
}

/** Loaded only for profiling: a measured peer starts without it. */
async function profilerFor(target: ProfileTarget): Promise<SideProfiler> {
  const { SideProfiler } = await import('../measure/peer/side-profiler.ts');
  return new SideProfiler('receiver', target);
}

/** Starts to collect the peer's results. Call the returned function after the last message. */
async function collectResults({ profile }: PeerStart): Promise<() => Promise<PeerResults>> {
  const watch = platform.watchGc?.() ?? null;
  const profiler = profile && (await profilerFor(profile));
  await profiler?.start();
  return async () => ({
    gc: watch?.stop() ?? null,
    profile: (await profiler?.stop().catch(messageOf)) ?? null,
  });
}

async function startEcho(start: PeerStart, endpoint: Endpoint): Promise<PeerReady['failures']> {
  const variants = await prepareVariants(start.variants, start.recipe, endpoint.transfers, 'receiver');
  const results = await collectResults(start);
  const timing = timingOf(start);
  new Echo({
    endpoint,
    reader: timing?.shared ?? new PostedInstructionReader(start.far.token),
    factories: map(variants, ({ factory }) => factory),
    failures: new PeerFailures(start.far.token),
    timing,
    onFinish: () => void results().then((all) => endpoint.post(all)),
  });
  return flatMap(variants, ({ samples: { error } }, index) =>
    error === null ? [] : [[index, error] as [number, string]],
  );
}

/** Reports that it is ready only after everything is built, so that the first message does not wait. */
async function begin(start: PeerStart): Promise<void> {
  const ready: PeerReady = { failed: null, failures: [] };
  try {
    ready.failures = await startEcho(start, farEndpoint(start.far, parent));
  } catch (error) {
    ready.failed = messageOf(error);
  }
  parent.post(ready);
}

surviveUserCode(platform);
parent.onMessage = (data) => void begin(data as PeerStart);
