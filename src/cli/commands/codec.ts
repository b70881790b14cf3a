import { codecOptions } from '../options/codec.ts';
import { type CommandSpec, FETCHING, timeoutOption, VIEW } from './command-spec.ts';

export const codecCommand: CommandSpec = {
  name: 'codec',
  help: 'write a codec compiled from the schema of samples, without measuring',
  argument: { form: '<sample...>', help: 'files, globs, or - for JSON on stdin: all make one schema' },
  options: [
    {
      flags: '-o, --output <file>',
      help: 'write the module, with a test beside it; its ending says the language: .ts .mts .js .mjs .cjs (default: TypeScript on stdout)',
    },
    { flags: '-e, --export <name...>', help: 'only these exports of a module' },
    { flags: '-r, --runtime <spec>', help: 'what reads the samples', preset: 'node' },
    { flags: '--as <kind>', help: 'read files as text, bytes or json whatever their ending' },
    VIEW,
    timeoutOption(),
    ...FETCHING,
  ],
  example: 'clone-prof codec samples/*.json -o src/orders.codec.ts',
  run: async (typed, services, world) => {
    const { runCodec } = await import('../actions/codec.ts');
    return runCodec(codecOptions(typed), services, world);
  },
};
