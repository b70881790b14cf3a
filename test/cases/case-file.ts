/**
 * A file of cases: Markdown that holds projects, commands, and all that the commands print. CONTRIBUTING.md says how to
 * write one. A section with commands is a test; it starts with what the sections above it give.
 */
import type { CliRun, CliScenario } from '../support/run-cli.ts';
import type { RuntimeSpec } from '../support/runtimes.ts';
import { evaluate } from './case-code.ts';

/** Settings of a scenario that a block of code gives; its files are blocks. */
export interface Settings extends Omit<CliScenario, 'files' | 'setUp' | 'before' | 'changed' | 'shows'> {
  /** Why it is skipped on this machine; false: it is not. */
  skip?: string | false;
  /** Without these runtimes it is skipped. */
  needs?: RuntimeSpec[];
  /** True: `npm run test:whole` has it, `npm test` not. */
  whole?: boolean;
}

/** Lines that say what a command prints; they end with its exit code. A command without them prepares. */
export interface Expectation {
  /** Index in the file of the line after the command. */
  from: number;
  lines: string[];
  shows: string[];
  never: RegExp[];
  /** Excerpts, by label: texts with lines of "…", and "(…)" in lines, in place of what is left out. */
  excerpts: Map<string, string>;
}

export type Step =
  | { files: Record<string, string | null> }
  | { code: (folder: string) => void }
  | { line: string; args: string[]; expected: Expectation };

export interface Case {
  name: string;
  settings: Settings;
  steps: Step[];
}

interface Section {
  level: number;
  title: string;
  definitions: string;
  settings: Settings;
  /** Of the section and those above it. */
  steps: Step[];
  hasSections: boolean;
}

const HEADING = /^(#+) (.+)$/;
const COMMAND = /^ {4}\$ clone-prof ?(.*)$/;
const INPUT = /^`([^`]+)`(, made by)?:$/;
const REMOVED = /^`([^`]+)` is removed\.$/;
const PRINTED = /^(?:stdout|stderr|Writes `([^`]+)`):$/;
const NOT_WRITTEN = /^Does not write `([^`]+)`\.$/;
const NEVER = /^Never: \/(.+)\/(\w*)$/;
const EXIT = /^Exit code: /;
const LEFT_OUT = '…';
const LEFT_OUT_OF_LINE = '(…)';

/** A word in double quotes is written as in JSON. */
const unquoted = (word: string): string => (word.startsWith('"') ? (JSON.parse(word) as string) : word);

/** `${…}` in a word is the text that a definition gives. */
const wordsOf = (line: string, definitions: string): string[] =>
  (line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []).map((word) =>
    unquoted(word).replace(/\$\{(\w+)\}/g, (_, name: string) => String(evaluate(definitions, name))),
  );

class CaseReader {
  readonly cases: Case[] = [];
  readonly #lines: string[];
  #at = 0;
  #open: Section[] = [];

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  readAll(): Case[] {
    while (this.#at < this.#lines.length) this.#readLine(this.#lines[this.#at++]!);
    this.#closeTo(0);
    return this.cases;
  }

  #readLine(line: string): void {
    const [, hashes, title] = HEADING.exec(line) ?? [];
    if (hashes && title) {
      this.#openSection(hashes.length, title);
      return;
    }
    const section = this.#open.at(-1);
    const [, input, madeBy] = INPUT.exec(line) ?? [];
    const [, command] = COMMAND.exec(line) ?? [];
    const [, removed] = REMOVED.exec(line) ?? [];
    if (line.startsWith('```') || PRINTED.test(line) || EXIT.test(line))
      this.#fail('this belongs to nothing');
    else if (!section) return;
    else if (line === 'Definitions:') section.definitions += `${this.#block()}\n`;
    else if (line === 'Settings:')
      section.settings = { ...section.settings, ...(this.#value(section, this.#block()) as Settings) };
    else if (line === 'Then code runs in the folder:')
      section.steps.push({ code: this.#value(section, this.#block()) as (folder: string) => void });
    else if (removed) section.steps.push({ files: { [unquoted(removed)]: null } });
    else if (input) {
      const text = this.#block();
      section.steps.push({ files: { [unquoted(input)]: madeBy ? this.#madeText(section, text) : text } });
    } else if (command !== undefined)
      section.steps.push({
        ...{ line: command, args: wordsOf(command, section.definitions), expected: this.#expectation() },
      });
  }

  #value({ definitions }: Section, code: string): unknown {
    try {
      return evaluate(definitions, code);
    } catch (error) {
      return this.#fail(String(error));
    }
  }

  #madeText(section: Section, code: string): string {
    const value = this.#value(section, code);
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  #openSection(level: number, title: string): void {
    this.#closeTo(level);
    const above = this.#open.at(-1);
    if (above) above.hasSections = true;
    this.#open.push({
      ...{ level, title, definitions: above?.definitions ?? '', settings: above?.settings ?? {} },
      ...{ steps: [...(above?.steps ?? [])], hasSections: false },
    });
  }

  #closeTo(level: number): void {
    for (let last = this.#open.at(-1); last && last.level >= level; last = this.#open.at(-1)) {
      const name = this.#open.map(({ title }) => title).join(': ');
      this.#open.pop();
      if (!last.hasSections) this.cases.push({ name, settings: last.settings, steps: last.steps });
    }
  }

  /** What follows a command up to its exit code. */
  #expectation(): Expectation {
    const from = this.#at;
    const read: Expectation = { from, lines: [], shows: [], never: [], excerpts: new Map() };
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined) break;
      const [, source, flags] = NEVER.exec(line) ?? [];
      const [, absent] = NOT_WRITTEN.exec(line) ?? [];
      if (line !== '' && !source && !absent && !PRINTED.test(line) && !EXIT.test(line)) break;
      this.#at++;
      if (source) read.never.push(new RegExp(source, flags));
      if (absent) read.shows.push(absent);
      if (EXIT.test(line)) return { ...read, lines: this.#lines.slice(from, this.#at) };
      if (PRINTED.test(line)) this.#readPrinted(line, read);
    }
    if (read.excerpts.size > 0 || read.shows.length > 0) this.#fail('there is no exit code');
    this.#at = from;
    return read;
  }

  #readPrinted(label: string, read: Expectation): void {
    const [, file] = PRINTED.exec(label)!;
    if (file) read.shows.push(file);
    const text = this.#block();
    if (text.split('\n').includes(LEFT_OUT) || text.includes(LEFT_OUT_OF_LINE))
      read.excerpts.set(label, text);
  }

  /** Content of the fenced block that comes next. An empty last line stands for the end of a line. */
  #block(): string {
    while (this.#lines[this.#at] === '') this.#at++;
    const [fence] = /^`{3,}/.exec(this.#lines[this.#at] ?? '') ?? [];
    const end = fence ? this.#lines.indexOf(fence, this.#at + 1) : -1;
    if (end < 0) return this.#fail('there is no block here');
    const text = this.#lines.slice(this.#at + 1, end).join('\n');
    this.#at = end + 1;
    return text;
  }

  #fail(reason: string): never {
    throw new Error(`line ${this.#at}: ${reason}: ${this.#lines[this.#at - 1]}`);
  }
}

export const readCases = (text: string): Case[] => new CaseReader(text).readAll();

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** True if all parts of an excerpt are in the text, in their order. */
function isExcerptOf(text: string, excerpt: string): boolean {
  const lines = excerpt
    .split('\n')
    .map((line) =>
      line === LEFT_OUT ? '(?:.*\\n)*' : `${line.split(LEFT_OUT_OF_LINE).map(escaped).join('\\(.*\\)')}\\n`,
    );
  return new RegExp(`^${lines.join('')}$`).test(`${text}\n`);
}

function block(label: string, text: string, { excerpts }: Expectation): string[] {
  const excerpt = excerpts.get(label);
  const shown = excerpt !== undefined && isExcerptOf(text, excerpt) ? excerpt : text;
  const longest = Math.max(2, ...(shown.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [label, '', fence, shown, fence, ''];
}

/** The lines that say what a command did. An excerpt that still fits stays an excerpt. */
export function linesOf(run: CliRun, expected: Expectation): string[] {
  const { code, stdout, stderr, files } = run;
  const part = (label: string, text: string) => (text === '' ? [] : block(label, text.trimEnd(), expected));
  return [
    '',
    ...part('stdout:', stdout),
    ...part('stderr:', stderr),
    ...Object.entries(files).flatMap(([name, text]) =>
      text === null
        ? [`Does not write \`${name}\`.`, '']
        : block(`Writes \`${name}\`:`, text.trimEnd(), expected),
    ),
    ...expected.never.flatMap((never) => [`Never: ${never}`, '']),
    `Exit code: ${code}`,
  ];
}
