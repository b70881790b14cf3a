import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deserialize } from 'node:v8';
import type { Waiting } from '../../machine/given-file.ts';
import { withWorkFolder } from '../../machine/temp-folders.ts';

/** Answer that the process writes to a file. */
type Answer = { content: unknown } | { failed: string };

/** Script of the process, which sends only data. It saves functions first: the config may replace shared ones. */
const SCRIPT = `
import { writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
const [file, answer] = process.argv.slice(-2);
const write = writeFileSync;
const exit = process.exit.bind(process);
const tell = (failed) => write(answer, serialize({ failed }));
const post = ({ default: content }) => {
  try {
    write(answer, serialize({ content }));
  } catch {
    tell('its default export is more than data: a function, or a class');
  }
};
import(file).then(post, (error) => tell(String(error?.message ?? error))).then(() => exit());
`;

/** Arguments that make this runtime run a file. */
const RUN = process.versions.deno === undefined ? [] : ['run', '-A'];

/**
 * Default export of a module, evaluated in a separate process: a config that calls `process.exit(0)`, listens to the
 * end of the process or changes globals does not affect the gate.
 *
 * @param cwd folder that its relative paths start from
 * @throws Error if the module threw, ended, took too long, was interrupted, or exports more than data
 */
export const evaluated = (file: string, cwd: string, { timeoutMs, signal }: Waiting): Promise<unknown> =>
  withWorkFolder(async (folder) => {
    const [script, answer] = [join(folder, 'evaluate.mjs'), join(folder, 'answer')];
    writeFileSync(script, SCRIPT);
    const child = spawn(process.execPath, [...RUN, script, pathToFileURL(file).href, answer], {
      ...{ cwd, signal, timeout: timeoutMs, killSignal: 'SIGKILL', windowsHide: true },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code === null) throw new Error(`it took longer than ${timeoutMs} ms`);
    if (!existsSync(answer)) throw new Error(`it ended (exit code ${code}) before its export was known`);
    const said: Answer = deserialize(readFileSync(answer));
    if ('failed' in said) throw new Error(said.failed);
    return said.content;
  });
