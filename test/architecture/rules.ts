/** The rules of the house, each a function from the files to what breaks it. */
import { circlesIn, type Files, type Import, importsOf, orphansOf } from './imports.ts';
import { ENTRIES, PACKAGES, PURE, PURE_PACKAGES, ROOMS } from './rooms.ts';

/** The longest name in the plan that is a folder of the file's path; null: the file is in no room. */
export function roomOf(file: string): string | null {
  const path = file.replace(/^src\//, '').replace(/\.ts$/, '');
  const names = Object.keys(ROOMS).filter((name) => path === name || path.startsWith(`${name}/`));
  return names.sort((a, b) => b.length - a.length)[0] ?? null;
}

const isPure = (file: string) => PURE.some((name) => file.startsWith(`src/${name}/`));

function mayImport(from: string, to: string): boolean {
  const parent = `${to.split('/')[0]}/*`;
  const allowed = ROOMS[from] ?? [];
  return (
    from === to || to === 'model' || allowed.includes(to) || (to.includes('/') && allowed.includes(parent))
  );
}

function brokenArrow({ from, to, isFile }: Import): string[] {
  if (!isFile) return [];
  const [here, there] = [roomOf(from), roomOf(to)];
  if (here === null || there === null) return [`${here === null ? from : to} is in no room of the plan`];
  return mayImport(here, there) ? [] : [`${from} -> ${to}: ${here} must not import ${there}`];
}

const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function misplacedPackage({ from, to, isFile }: Import): string[] {
  if (isFile) return [];
  if (isPure(from) && !PURE_PACKAGES.includes(packageName(to))) return [`${from} is pure and imports ${to}`];
  if (to.startsWith('node:')) return [];
  const home = PACKAGES[packageName(to)];
  if (home === undefined) return [`${from} imports ${to}, which the plan does not list`];
  return home.test(from) ? [] : [`${from} imports ${to}, which belongs to ${home}`];
}

/** Texts and comments may speak of them. */
const CODE_ONLY = /\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm;

const codeOf = (text: string) => text.replace(CODE_ONLY, "''");

const CLOCK_OR_CHANCE =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\.|\bcrypto\.|\bTemporal\.Now\b/;

const IN_GUEST = /^src\/guest\/(?!platform\/|link\/)/;
const RUNTIME_MODULE = /\b(?:from|import\() ?'(?:node|bun):/;
const RUNTIME_GLOBAL = /\b(?:process|Buffer|Bun|Deno)\./;

/** What runs in the user's process, except profilers, the tool's own payloads, and what only the host calls. */
const BESIDE_USER_CODE =
  /^src\/(?:guest\/(?!platform\/|measure\/profile\/|payload\/specimens)|probe\/|core\/(?:describe|compare|classify\/(?!losses|propose)|value\/(?!lists)|paths|versions))/;
const LEARNING = /(?<!\.\.)\.(?:map|filter|flatMap)\(|\bgroupBy\(/;

const LONGEST = 200;

export const RULES: Readonly<Record<string, (files: Files) => string[]>> = {
  'imports follow the arrows between rooms': (files) => importsOf(files).flatMap(brokenArrow),

  'each package has one place, and the pure rooms have only pure ones': (files) =>
    importsOf(files).flatMap(misplacedPackage),

  'no files import each other in a circle, type-only imports included': (files) =>
    circlesIn(importsOf(files)).map((circle) => circle.join(' <-> ')),

  'in a guest, only platform and link use Node, Bun or Deno': (files) =>
    [...files]
      .filter(([file]) => IN_GUEST.test(file))
      .filter(([, text]) => RUNTIME_MODULE.test(text) || RUNTIME_GLOBAL.test(codeOf(text)))
      .map(([file]) => file),

  'beside user code no built-in function is called that learns (core/value/lists.ts)': (files) =>
    [...files]
      .filter(([file, text]) => BESIDE_USER_CODE.test(file) && LEARNING.test(codeOf(text)))
      .map(([file]) => file),

  'every file is reached from an entry': (files) =>
    orphansOf(files, importsOf(files), (file) =>
      ENTRIES.some((entry) => (typeof entry === 'string' ? entry === file : entry.test(file))),
    ),

  'the pure rooms read no clock and no random numbers': (files) =>
    [...files]
      .filter(([file, text]) => isPure(file) && CLOCK_OR_CHANCE.test(codeOf(text)))
      .map(([file]) => file),

  'rules are data: the engines have no functions': (files) =>
    [...files]
      .filter(([file, text]) => file.startsWith('src/engines/') && /=>|\bfunction\b/.test(codeOf(text)))
      .map(([file]) => file),

  [`files have at most ${LONGEST} lines`]: (files) =>
    [...files].filter(([, text]) => text.split('\n').length > LONGEST + 1).map(([file]) => file),
};
