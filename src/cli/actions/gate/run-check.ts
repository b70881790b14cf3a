import { resolve } from 'node:path';
import { mergeChecks } from '../../../core/gate/check-report.ts';
import { checkIn } from '../../../services/gate/check.ts';
import { askedOf, configHere } from '../../../services/gate/gate-request.ts';
import type { Services } from '../../../services/services.ts';
import { readDocument } from '../../../store/document.ts';
import { CHECK } from '../../../store/documents.ts';
import type { CheckOptions } from '../../options/check.ts';
import { withSession } from '../../session/session.ts';
import type { World } from '../../session/world.ts';
import { openCheckOutput } from './check-output.ts';
import { codecWriter } from './fix-codec.ts';

/** `clone-prof check`: options, one request, a report, written. */
export async function runCheck(options: CheckOptions, services: Services, world: World): Promise<number> {
  const write = openCheckOutput(options.outputs, options.payloads, world);
  return withSession(services, world, async (session) => {
    const { report, folder } = await checkIn(
      session,
      options,
      options.fixCodec ? codecWriter(session) : null,
    );
    session.progress.stop();
    return write(report, folder);
  });
}

/** `clone-prof check --merge`: the reports of all shards as one. */
export async function runMerge(options: CheckOptions, services: Services, world: World): Promise<number> {
  const files = [...options.payloads, ...(options.merge ?? [])];
  const write = openCheckOutput(options.outputs, files, world);
  const { expect } = options;
  // What reports of shards say of this config.
  const expected =
    expect === null
      ? null
      : await withSession(services, world, async (session) => {
          const config = await configHere(session, expect, options.timeoutMs);
          return askedOf(config, { ...options, payloads: [] }, world.cwd()).configHash;
        });
  const parts = await Promise.all(
    files.map(async (file) => ({
      file,
      report: await readDocument(resolve(world.cwd(), file), file, CHECK, { timeoutMs: options.timeoutMs }),
    })),
  );
  return write(mergeChecks(parts, expected), world.cwd());
}
