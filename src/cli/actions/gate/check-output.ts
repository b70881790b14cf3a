import { appendFileSync } from 'node:fs';
import { checkStatus } from '../../../core/gate/check-report.ts';
import type { CheckReport } from '../../../model/documents/check.ts';
import type { CheckFormat } from '../../../model/gate/limits.ts';
import { CHECK_REPORTERS } from '../../../reporters/registry.ts';
import { wordsOf } from '../../../rule-book/wording.ts';
import type { Output } from '../../options/outputs.ts';
import type { CommandFiles } from '../../session/command-files.ts';
import { EXIT, isUsageCode } from '../../session/exit-code.ts';
import { FILE_OPTIONS, fromRepository, openDestinations, writeEach } from '../../session/output.ts';
import { sayReasons } from '../../session/reasons.ts';
import type { World } from '../../session/world.ts';
import { checkReasons } from './check-reasons.ts';

/** Readers of these formats resolve files from the root of the repository. */
const NEEDS_REPOSITORY: readonly CheckFormat[] = ['github', 'sarif'];

const EXITS = { ok: EXIT.ok, failed: EXIT.gate, unreadable: EXIT.usage, unmeasured: EXIT.failure } as const;

/**
 * What writes a report in every format that was asked for, and gives the exit code: opened before anything is checked.
 *
 * @throws ToolError 'usage', 'output-unwritable'
 */
export function openCheckOutput(
  outputs: readonly Output<CheckFormat>[],
  files: CommandFiles,
  world: World,
): (report: CheckReport, folder: string) => Promise<number> {
  const destinations = openDestinations(outputs, files, world);
  const summary = outputs.some(({ format }) => format === 'github') && world.env.GITHUB_STEP_SUMMARY;
  return async (report, folder) => {
    const words = wordsOf();
    const inRepository = withPrefix(report, fromRepository(world, folder));
    const unwritten = await writeEach(
      destinations,
      async ({ format }) => {
        const shown = NEEDS_REPOSITORY.includes(format) ? inRepository : report;
        const reporter = CHECK_REPORTERS[format];
        return (renderOptions) => reporter(shown, renderOptions, words);
      },
      world,
    );
    if (summary) {
      await appendSummary(summary, CHECK_REPORTERS.markdown(report, FILE_OPTIONS, words), world);
    }
    await sayReasons(checkReasons(report), world);
    return EXITS[checkStatus(report, isUsageCode)] || unwritten;
  };
}

function withPrefix(report: CheckReport, prefix: string): CheckReport {
  if (prefix === '') return report;
  const inside = <T extends { file: string | null }>(one: T): T =>
    one.file === null ? one : { ...one, file: `${prefix}/${one.file}`.replaceAll('\\', '/') };
  return { ...report, results: report.results.map(inside), failures: report.failures.map(inside) };
}

/** The job summary is an extra: that it cannot be written must not fail the gate. */
async function appendSummary(file: string, markdown: string, world: World): Promise<void> {
  try {
    appendFileSync(file, markdown);
  } catch (error) {
    await world.stderr.line(`warning: no job summary: ${(error as Error).message}`);
  }
}
