// The licences of the packages that are bundled, which ask to be shipped with every copy. Which ones these are esbuild tells
// (metafile). Plugins that were looked at (esbuild-plugin-license, rollup-plugin-license, license-checker) list what was
// loaded or installed, not what is in the outputs, or keep one version of a name.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying)([.-].*)?$/i;
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** Folders of the packages of which an output has a part. @param outputs of esbuild's metafile, relative to `root` */
function packageFolders(outputs, root) {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const files = parts
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => resolve(root, file));
  return [...new Set(files.flatMap((file) => PACKAGE_FOLDER.exec(file) ?? []))];
}

/** @throws for a package without a text: it may not be bundled */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => LICENCE_FILE.test(one));
  if (file === undefined || typeof license !== 'string') throw new Error(`${name} ${version} has no licence`);
  return { title: `${name} ${version} (${license})`, text: readFileSync(join(folder, file), 'utf8').trim() };
}

/** One text for all that share it. */
export function licenceText(outputs, root) {
  const titles = new Map();
  for (const { title, text } of packageFolders(outputs, root).map(licenceOf))
    titles.set(text, [...(titles.get(text) ?? []), title]);
  const sections = [...titles].map(([text, of]) => `${of.sort().join('\n')}\n\n${text}\n`);
  return sections.sort().join(`\n${'-'.repeat(80)}\n\n`);
}
