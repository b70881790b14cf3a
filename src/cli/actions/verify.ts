import { join } from 'node:path';
import { verify } from '../../app/verify.ts';
import { writeRulePayloads } from '../../machine/rule-payloads.ts';
import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { objectText, verifyNodes } from '../../reporters/print/verify.ts';
import { terminalNodes } from '../../reporters/terminal/nodes.ts';
import { escapedJson } from '../../reporters/text/json.ts';
import { type Services, toolsOf } from '../../services/services.ts';
import { loadSpecimens } from '../../sources/specimens.ts';
import type { VerifySettings } from '../options/all.ts';
import { sayReasons } from '../session/exit.ts';
import { printResult } from '../session/output.ts';
import { foundRuntimes, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';

/** `clone-prof verify [runtime...]`: exit 1 if a rule does not hold. */
export function runVerify(options: VerifySettings, world: World, services: Services): Promise<number> {
  const { timeoutMs, format } = options;
  return withSession(services, world, async (session) => {
    const { progress, signal } = session;
    const { found, missing } = await foundRuntimes(session, options.runtimes, options);
    const folder = join(session.workdir, 'rule-payloads');
    writeRulePayloads(folder);
    const specimens = await loadSpecimens(folder);
    const objects = join(folder, 'platform-objects.js');
    const request = { specimens, objects, runtimes: found, timeoutMs, cwd: world.cwd(), signal };
    const report = await verify(request, toolsOf(session));
    progress.stop();
    const drawn = (renderOptions: RenderOptions) => terminalNodes(verifyNodes(report), renderOptions);
    await printResult(format === 'json' ? () => escapedJson(report) : drawn, world);
    const broken = report.results.filter(({ holds }) => holds === false);
    const otherwise = report.objects.filter(({ holds }) => holds === false);
    await sayReasons(
      [
        ...broken.map(({ rule, runtime, why }) => `${rule} on ${runtime}: does not hold: ${why}`),
        ...otherwise.map(
          (one) => `${one.class} on ${one.runtime}: the table does not hold: ${objectText(one)}`,
        ),
      ],
      world,
    );
    if (signal.aborted) throw new ToolError('interrupted');
    if (!report.holds) return EXIT.gate;
    return missing.length > 0 ? EXIT.failure : EXIT.ok;
  });
}
