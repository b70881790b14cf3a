import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { ReportFormat } from '../../model/report/render-options.ts';
import { ANSWERS, REPORTERS } from '../../reporters/registry.ts';
import { reportWords } from '../../rule-book/report-words.ts';
import { type Destination, type Draw, printResult, writeEach } from '../session/output.ts';
import type { World } from '../session/world.ts';

/** Prints the result of one run. */
export interface Printer {
  /** Prints one payload, where payloads are printed one by one. */
  payload(payload: PayloadReport): Promise<void>;
  /** @returns the exit code of what could not be written, or 0 */
  end(report: Report): Promise<number>;
}

type ReportDestination = Destination<ReportFormat>;

const isLive = ({ format, isStdout }: ReportDestination) => isStdout && format === 'terminal';

/**
 * On a terminal each payload is printed as soon as it is done; a file or another format needs the whole report, and so
 * do the answers alone, which are one table.
 */
export async function printerFor(
  destinations: readonly ReportDestination[],
  world: World,
  { oneByOne, quiet }: { oneByOne: boolean; quiet: boolean },
): Promise<Printer> {
  const live =
    oneByOne && !quiet && destinations.some(isLive)
      ? await import('../../reporters/terminal/report.ts')
      : null;
  const failures: unknown[] = [];
  return {
    payload: async (payload) => {
      if (!live) return;
      const draw: Draw = (renderOptions) =>
        `${live.terminalPayload(payload, renderOptions, reportWords())}\n`;
      await printResult(draw, world).catch((error) => failures.push(error));
    },
    end: (report) =>
      writeEach(
        destinations,
        async (one) => {
          if (failures.length > 0 && isLive(one)) throw failures[0];
          if (live && isLive(one)) return live.terminalMachine.bind(null, report);
          const reporter = await (quiet && one.format === 'terminal' ? ANSWERS : REPORTERS[one.format])();
          return (renderOptions) => reporter(report, renderOptions, reportWords());
        },
        world,
      ),
  };
}
