import { posix } from 'node:path';

/** Text of each file by its path from the root of the project. */
export type Files = ReadonlyMap<string, string>;

export interface Import {
  from: string;
  /** A file of the project, or a package as it is imported. */
  to: string;
  isFile: boolean;
}

/** A statement at the start of a line, or an import() anywhere: type-only ones are imports like all others. */
const IMPORT =
  /^import\s+(?:[^'"]*?\bfrom\s+)?'([^']+)'|^export\s+(?:type\s+)?(?:\*[^'"]*?|\{[^}]*\})\s*from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

const COMMENT = /^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm;

/** Every import of these files. Bundlers drop type-only imports, so the text is read. */
export function importsOf(files: Files): Import[] {
  return [...files].flatMap(([from, text]) =>
    [...text.replace(COMMENT, '').matchAll(IMPORT)].map(([, imported, exported, called]) => {
      const specifier = imported ?? exported ?? called ?? '';
      const isFile = specifier.startsWith('.');
      return { from, to: isFile ? posix.join(posix.dirname(from), specifier) : specifier, isFile };
    }),
  );
}

/** The files that these files lead to. */
function reachable(starts: readonly string[], imports: readonly Import[]): Set<string> {
  const reached = new Set(starts);
  for (const file of reached) {
    for (const { from, to, isFile } of imports) if (from === file && isFile) reached.add(to);
  }
  return reached;
}

/** Groups of files that import each other, directly or not. */
export function circlesIn(imports: readonly Import[]): string[][] {
  const leadsTo = new Map<string, Set<string>>();
  for (const { from } of imports) {
    if (leadsTo.has(from)) continue;
    const next = imports.filter((one) => one.from === from && one.isFile).map(({ to }) => to);
    leadsTo.set(from, reachable(next, imports));
  }
  const circular = [...leadsTo].filter(([file, reached]) => reached.has(file));
  const groups = circular.map(([file, reached]) =>
    circular.filter(([other, back]) => reached.has(other) && back.has(file)).map(([other]) => other),
  );
  return groups.filter((group, i) => group[0] === circular[i]?.[0]);
}

/** Files that no entry reaches. */
export function orphansOf(
  files: Files,
  imports: readonly Import[],
  isEntry: (file: string) => boolean,
): string[] {
  const reached = reachable([...files.keys()].filter(isEntry), imports);
  return [...files.keys()].filter((file) => !reached.has(file));
}
