import { resolve } from 'node:path';
import { REPORTERS } from '../../reporters/registry.ts';
import { reportWords } from '../../rule-book/report-words.ts';
import { readDocument } from '../../store/document.ts';
import { REPORT } from '../../store/schema/report.ts';
import { EXIT } from '../exit-code.ts';
import type { ReportOptions } from '../options/report.ts';
import { openDestinations, writeEach } from '../output.ts';
import type { World } from '../world.ts';
import { openEmitted } from './emit.ts';

/** `clone-prof report`: a stored report, drawn again. Nothing is measured. */
export async function runReport({ file, outputs, emit }: ReportOptions, world: World): Promise<number> {
  const destinations = openDestinations(outputs, [file], world);
  const report = await readDocument(resolve(world.cwd(), file), file, REPORT);
  const emitted = emit === null ? null : openEmitted(emit, report.payloads, [file], world);
  const unwritten = await writeEach(
    destinations,
    async ({ format }) => {
      const reporter = await REPORTERS[format]();
      return (renderOptions) => reporter(report, renderOptions, reportWords());
    },
    world,
  );
  return Math.max(unwritten, emitted === null ? EXIT.ok : await emitted.write(report));
}
