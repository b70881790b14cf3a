import { REPORT_FORMATS } from '../../model/report/render-options.ts';
import { reportOptions } from '../options/report.ts';
import { type CommandSpec, EMIT, formatsOption, OUTPUT } from './command-spec.ts';

export const reportCommand: CommandSpec = {
  name: 'report',
  help: 'draw a stored report (analyze -f json) in any format, or write its codec',
  argument: {
    form: '<report.json>',
    help: 'what clone-prof analyze -f json printed',
    checkedByCommand: true,
  },
  options: [formatsOption(REPORT_FORMATS), OUTPUT, EMIT],
  example: 'clone-prof report report.json --emit orders.codec.ts',
  run: async (typed, _services, world) => {
    const { runReport } = await import('../actions/report.ts');
    return runReport(reportOptions(typed), world);
  },
};
