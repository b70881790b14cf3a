import { ReadFiles } from '../../machine/read-files.ts';
import { ToolError } from '../../model/errors.ts';
import { counted } from '../../reporters/text/numbers.ts';
import type { Services } from '../../services/services.ts';
import { sayError } from './exit.ts';
import { withSignal } from './session.ts';
import type { World } from './world.ts';

type Run<Options> = (options: Options, world: World, services: Services) => Promise<number>;

/**
 * `--watch`: the command again, each time that a file that it read has changed. Ctrl-C ends it. What is broken for a moment is
 * told like in any run, and the next change is waited for.
 */
export const watching =
  <Options>(run: Run<Options>): Run<Options> =>
  async (options, world, services) => {
    for (let files = new ReadFiles(); ; files = new ReadFiles(files.paths)) {
      try {
        await run(options, world, withFiles(services, files));
      } catch (error) {
        const isOver = !(error instanceof ToolError) || error.code === 'interrupted';
        // Where nothing was read, no change can mend it.
        if (isOver || files.paths.length === 0) throw error;
        await sayError(error, world);
      }
      await withSignal(world, async (signal) => {
        // Told once Ctrl-C is listened for: who reads it may press it at once.
        await world.stderr.line(`watching ${counted(files.paths.length, 'file')} (Ctrl-C ends)`);
        await files.change(signal).catch((error) => {
          throw signal.aborted ? new ToolError('interrupted') : error;
        });
      });
    }
  };

const withFiles = (services: Services, files: ReadFiles): Services => ({
  ...services,
  onRead: (path) => files.add(path),
  loadSources: (inputs, options) =>
    services.loadSources(inputs, { ...options, onRead: (path) => files.add(path) }),
});
