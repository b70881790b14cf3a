/** `npm run record:apps [part of a name...]`: real programs run bare and recorded, and compared. Exit code 1 for a difference. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIBRARIES } from '../../src/model/names.ts';
import { checkLibrary, isInstalled } from './library-app.ts';
import { checkTool, install, TOOLS } from './tools.ts';

const parts = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'clone-prof-apps-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

async function compared(name: string, isHere: () => boolean, check: () => Promise<void>): Promise<void> {
  if (parts.length > 0 && !parts.some((part) => name.includes(part))) return;
  if (!isHere()) {
    console.log(`skipped  ${name}: it is not installed, and npm cannot`);
    return;
  }
  try {
    await check();
    console.log(`same     ${name}`);
  } catch (error) {
    console.log(`DIFFERS  ${name}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

for (const library of LIBRARIES)
  await compared(
    library,
    () => isInstalled(library),
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
