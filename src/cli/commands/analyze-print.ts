import type { PayloadReport, Report } from '../../model/report.ts';
import { loadReporter } from '../../reporters/load.ts';
import { wordsOf } from '../../rule-book/wording.ts';
import type { AnalyzeOptions } from '../options.ts';
import { lookOf, write, writeOutputFile } from '../output.ts';
import type { World } from '../world.ts';

/** How the result of one run is told. */
export interface Printer {
  /** What is known of one payload, as soon as it is. */
  payload(payload: PayloadReport): Promise<void>;
  end(report: Report): Promise<void>;
}

/** On a terminal each payload is printed as soon as it is done; a file or another format wants the whole report. */
export function printerFor(options: AnalyzeOptions, world: World): Promise<Printer> {
  return options.format === 'terminal' && options.output === null
    ? asItComes(world)
    : atTheEnd(options, world);
}

async function asItComes(world: World): Promise<Printer> {
  const { terminalMachine, terminalPayload } = await import('../../reporters/terminal/terminal.ts');
  const look = lookOf(world.stdout, world.env);
  return {
    payload: (payload) => write(world.stdout, `${terminalPayload(payload, look, wordsOf())}\n`),
    end: (report) => write(world.stdout, terminalMachine(report, look)),
  };
}

async function atTheEnd({ format, output }: AnalyzeOptions, world: World): Promise<Printer> {
  const reporter = await loadReporter(format);
  return {
    payload: () => Promise.resolve(),
    async end(report) {
      if (output === null)
        await write(world.stdout, reporter(report, lookOf(world.stdout, world.env), wordsOf()));
      else {
        const look = { color: false, columns: 100, unicode: true };
        writeOutputFile(output, reporter(report, look, wordsOf()), world.cwd());
      }
    },
  };
}
