/** `npm run record:apps [part of a name...]`: real programs run bare and recorded, and compared. Exit code 1 for a difference. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIBRARIES } from '../../src/model/names.ts';
import { checkLibrary, isInstalled } from './library-app.ts';
import type { Agreement } from './recorded-app.ts';
import { checkTool, install, TOOLS } from './tools.ts';

const parts = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'clone-prof-apps-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

async function compared(
  name: string,
  missing: () => string | null,
  check: () => Promise<Agreement>,
): Promise<void> {
  if (parts.length > 0 && !parts.some((part) => name.includes(part))) return;
  const why = missing();
  if (why !== null) {
    console.log(`skipped  ${name}: ${why}`);
    return;
  }
  try {
    const agreement = await check();
    console.log(`${agreement.padEnd(8)} ${name}`);
  } catch (error) {
    console.log(`DIFFERS  ${name}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

for (const library of LIBRARIES)
  await compared(
    library,
    () => (isInstalled(library) ? null : 'it is not installed'),
    () => checkLibrary(library, root),
  );
for (const tool of TOOLS) {
  const folder = join(root, tool.name);
  mkdirSync(folder);
  await compared(
    tool.name,
    () => install(tool, folder),
    () => checkTool(tool, folder),
  );
}
