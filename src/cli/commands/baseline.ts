import { gateOptions } from '../options/check.ts';
import { GATE_OPTIONS } from './check.ts';
import { type CommandSpec, sitesOptions } from './command-spec.ts';

export const baselineCommand: CommandSpec = {
  name: 'baseline',
  help: 'write the facts that check compares with',
  argument: {
    form: '[payload...]',
    help: 'names or files of payloads, or recordings (default: all of the config)',
  },
  options: [...GATE_OPTIONS, ...sitesOptions('those that make 95 %, at most 20')],
  example: 'clone-prof baseline',
  run: async (typed, services, world) => {
    const { runBaseline } = await import('../actions/gate/baseline.ts');
    return runBaseline(gateOptions(typed), services, world);
  },
};
