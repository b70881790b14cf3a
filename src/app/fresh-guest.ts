import type { FoundRuntime } from '../model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../model/wire/wire.ts';
import { isForModules } from './guest-slot.ts';
import type { GuestTerms, Tools } from './tools.ts';

/** Starts a guest for one request and closes it: what an earlier request left in a process must not decide. */
export async function askFreshGuest<R extends GuestRequest>(
  request: R,
  runtime: FoundRuntime,
  deadlineMs: number,
  { timeoutMs, cwd, signal, sender }: GuestTerms,
  { driver }: Pick<Tools, 'driver'>,
): Promise<AnswerTo<R['type']>> {
  const forModules = isForModules(request);
  const guest = await driver.start(runtime, { timeoutMs, cwd, signal, forModules, sender });
  try {
    return await guest.ask(request, { deadlineMs });
  } finally {
    await guest.close();
  }
}
