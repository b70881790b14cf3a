import type { PayloadReport, Report } from '../../model/report.ts';
import { REPORTERS } from '../../reporters/registry.ts';
import { wordsOf } from '../../rule-book/wording.ts';
import type { AnalyzeOptions } from '../options/analyze.ts';
import { renderOptionsOf, write, writeResult } from '../output.ts';
import type { World } from '../world.ts';

/** Prints the result of one run. */
export interface Printer {
  /** Prints one payload, where payloads are printed one by one. */
  payload(payload: PayloadReport): Promise<void>;
  end(report: Report): Promise<void>;
}

/** On a terminal each payload is printed as soon as it is done; a file or another format needs the whole report. */
export function printerFor(options: AnalyzeOptions, world: World): Promise<Printer> {
  return options.format === 'terminal' && options.output === null
    ? asItComes(world)
    : atTheEnd(options, world);
}

async function asItComes(world: World): Promise<Printer> {
  const { terminalMachine, terminalPayload } = await import('../../reporters/terminal/report.ts');
  const renderOptions = renderOptionsOf(world.stdout, world.env);
  return {
    payload: (payload) => write(world.stdout, `${terminalPayload(payload, renderOptions, wordsOf())}\n`),
    end: (report) => write(world.stdout, terminalMachine(report, renderOptions)),
  };
}

async function atTheEnd({ format, output }: AnalyzeOptions, world: World): Promise<Printer> {
  const reporter = await REPORTERS[format]();
  return {
    payload: () => Promise.resolve(),
    end: (report) =>
      writeResult((renderOptions) => reporter(report, renderOptions, wordsOf()), output, world),
  };
}
