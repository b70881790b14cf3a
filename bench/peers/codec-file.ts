import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEADLINE_MS = 120_000;

/** A module, or why there is none. */
export type CodecFile = { file: string; why: null } | { file: null; why: string };

/** The codec that the built tool writes for the payload of a file. */
export async function codecFile(
  root: string,
  folder: string,
  payloadFile: string,
  runtimeName: string,
): Promise<CodecFile> {
  const file = join(folder, `${basename(payloadFile, '.json')}-${runtimeName}.codec.mjs`);
  rmSync(file, { force: true });
  try {
    const args = [join(root, 'bin', 'clone-prof.js'), 'codec', payloadFile, '-o', file];
    await run(process.execPath, args, { cwd: root, timeout: DEADLINE_MS });
    return existsSync(file) ? { file, why: null } : { file: null, why: 'nothing was written' };
  } catch (error) {
    const said = (error as { stderr?: string }).stderr || String(error);
    return { file: null, why: said.trim().split('\n')[0]! };
  }
}
