import { REPORT_FORMATS } from '../../model/report/render-options.ts';
import { reportOptions } from '../options/report.ts';
import { type CommandSpec, EMIT, formatsOption, OUTPUT } from './command-spec.ts';

export const reportCommand: CommandSpec = {
  name: 'report',
  help: 'draw stored reports and sweeps in any format, join or compare them, or write a codec',
  argument: {
    form: '<report...>',
    help: 'what clone-prof analyze or sweep wrote with -f json or html; - for stdin',
    checkedByCommand: true,
  },
  options: [
    formatsOption(REPORT_FORMATS),
    OUTPUT,
    {
      flags: '--join',
      help: 'one payload on several versions of a runtime: side by side in one report, not compared',
    },
    EMIT,
  ],
  example: 'clone-prof report before.json now.json',
  run: async (typed, _services, world) => {
    const { runReport } = await import('../actions/report.ts');
    return runReport(reportOptions(typed), world);
  },
};
