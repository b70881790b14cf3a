import { atLeastOne } from '../../app/found-runtimes.ts';
import { verify } from '../../app/verify.ts';
import { packageFile } from '../../machine/package-file.ts';
import { escapedJson } from '../../reporters/json.ts';
import { terminalVerify } from '../../reporters/terminal/verify.ts';
import type { Services } from '../../services.ts';
import { loadSpecimens } from '../../sources/specimens.ts';
import { EXIT } from '../exit-code.ts';
import type { Fetching } from '../options/typed.ts';
import { writeResult } from '../output.ts';
import { fetchOptions, withSession } from '../session.ts';
import type { World } from '../world.ts';

export interface VerifyOptions extends Fetching {
  runtimes: string[];
  format: 'terminal' | 'json';
  timeoutMs: number;
}

/** `clone-prof verify [runtime...]`: exit 1 when a rule does not hold. */
export function runVerify(options: VerifyOptions, services: Services, world: World): Promise<number> {
  const { timeoutMs, format } = options;
  return withSession(services, world, async (session) => {
    const { progress, signal } = session;
    const fetching = fetchOptions(session, options);
    const { found, missing } = atLeastOne(await services.findRuntimes(options.runtimes, fetching));
    for (const { error } of missing) progress.listen({ type: 'warning', text: error.message });
    const specimens = await loadSpecimens(packageFile('fixtures/payloads'));
    const request = { specimens, runtimes: found, timeoutMs, cwd: world.cwd(), signal };
    const report = await verify(request, { ...services.tools, emit: progress.listen });
    progress.stop();
    const draw = format === 'json' ? () => escapedJson(report) : terminalVerify.bind(null, report);
    await writeResult(draw, null, world);
    if (signal.aborted) return EXIT.interrupted;
    if (!report.holds) return EXIT.gate;
    return missing.length > 0 ? EXIT.failure : EXIT.ok;
  });
}
