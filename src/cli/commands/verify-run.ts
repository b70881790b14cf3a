import { verify } from '../../app/verify.ts';
import { packageFile } from '../../machine/package-file.ts';
import { terminalVerify } from '../../reporters/terminal/verify.ts';
import { loadSpecimens } from '../../sources/specimens.ts';
import { requiredRuntimes } from '../chosen-runtimes.ts';
import { interruptible } from '../interrupt.ts';
import { EXIT } from '../main.ts';
import { lookOf, write } from '../output.ts';
import { createProgress } from '../progress.ts';
import type { Services } from '../services.ts';
import type { World } from '../world.ts';

export interface VerifyOptions {
  runtimes: string[];
  format: 'terminal' | 'json';
  timeoutMs: number;
  offline: boolean;
}

/** `clone-prof verify [runtime...]`: exit 1 when a rule does not hold. */
export async function runVerify(options: VerifyOptions, services: Services, world: World): Promise<number> {
  const progress = createProgress(world);
  try {
    return await interruptible(world, async (signal) => {
      const onNote = (text: string) => progress.listen({ type: 'note', text });
      const runtimes = await requiredRuntimes(
        options.runtimes,
        { offline: options.offline, onNote, signal },
        services,
      );
      const specimens = await loadSpecimens(packageFile('fixtures/payloads'));
      const report = await verify(
        { specimens, runtimes, timeoutMs: options.timeoutMs, cwd: world.cwd(), signal },
        { driver: services.driver, emit: progress.listen },
      );
      progress.stop();
      const text =
        options.format === 'json'
          ? `${JSON.stringify(report, null, 2)}\n`
          : terminalVerify(report, lookOf(world.stdout, world.env));
      await write(world.stdout, text);
      if (signal.aborted) return EXIT.interrupted;
      return report.holds ? EXIT.ok : EXIT.gate;
    });
  } finally {
    progress.stop();
  }
}
