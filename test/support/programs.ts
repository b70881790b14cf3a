/** Programs of tests, in Markdown: a section is a program and holds its files, each a name and a block. */
import { readFileSync } from 'node:fs';

export type ProgramFiles = Readonly<Record<string, string>>;

const FILE = /^`([^`]+)`:\n\n(`{3,})\w*\n(.*?)^\2$/gms;

/** The files of each program, by the title of its section. */
export function allProgramsIn(url: URL): Readonly<Record<string, ProgramFiles>> {
  const [, ...sections] = readFileSync(url, 'utf8').split(/^## /m);
  const filesIn = (section: string) => [...section.matchAll(FILE)].map(([, name, , text]) => [name, text]);
  return Object.fromEntries(
    sections.map((section) => [
      section.slice(0, section.indexOf('\n')),
      Object.fromEntries(filesIn(section)),
    ]),
  );
}

/** @returns the files of the program of this title @throws Error if the document has none */
export function programsIn(url: URL): (title: string) => ProgramFiles {
  const all = allProgramsIn(url);
  return (title) => {
    const files = all[title];
    if (files === undefined) throw new Error(`no program '${title}' in ${url.pathname}`);
    return files;
  };
}
