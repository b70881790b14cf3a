import { recordOptions } from '../options/record.ts';
import type { CommandSpec } from './command-spec.ts';

export const recordCommand: CommandSpec = {
  name: 'record',
  help: 'run a program, or open a page, and record what it posts',
  argument: { form: '<command...>', help: 'the program and its arguments, after --', isCommand: true },
  options: [
    {
      flags: '-o, --output <file>',
      help: 'the recording (default: named after the program, like app.cprof)',
    },
    { flags: '--values', help: 'also keep messages as they are (default: shapes only)' },
    { flags: '--mask', help: 'with --values: texts are replaced by others of the same length' },
    { flags: '--for <time>', help: 'end the program after this time: SIGTERM, then SIGKILL; or the page' },
    { flags: '--url <address>', help: 'instead of a program: a page, until its tab is closed' },
    {
      flags: '-r, --runtime <browser>',
      help: 'with --url: chromium, chrome, edge, brave, or a path (default: the first of these that is installed)',
    },
    { flags: '--headless', help: 'with --url: no window (default where there is no display)' },
  ],
  example: 'clone-prof record -- node app.js',
  run: async (typed, services, world) => {
    const options = recordOptions(typed);
    const { runRecord } = await import('../actions/record.ts');
    return runRecord(options, services, world);
  },
};
