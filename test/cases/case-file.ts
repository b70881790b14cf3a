/**
 * A file of cases: Markdown that holds projects, commands, and all that the commands print. CONTRIBUTING.md says how to
 * write one. A section with commands is a test, and so is a row of a table; it starts with what the sections above it
 * give.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { ToolError } from '../../src/model/errors.ts';
import { triedIn } from '../../src/model/rules/remedy.ts';
import { recordingText } from '../../src/record/files/recording-files.ts';
import { ALL_HOSTILE, HOSTILE as HOSTILE_KINDS, IN_FILE_NAMES } from '../hostile/strings.ts';
import { recording, row, shapeOf } from '../make.ts';
import { makeRepository, putFiles, runGit } from '../support/git-repository.ts';
import type { CliRun, CliScenario } from '../support/run-cli.ts';
import type { RuntimeSpec } from '../support/runtimes.ts';
import { threadFiles } from '../support/thread-files.ts';
import { hasLines, headsOf, rowOf } from './case-table.ts';

/** Settings of a scenario that a block of code gives; its files are blocks. */
interface Settings extends Omit<CliScenario, 'files' | 'setUp' | 'shows'> {
  /** Why it is skipped on this machine; false: it is not. */
  skip?: string | false;
  /** Without these runtimes it is skipped. */
  needs?: RuntimeSpec[];
  /** True: `npm run test:whole` has it, `npm test` not. */
  whole?: boolean;
}

/** Lines below a command: what it does. A command without them prepares. */
export interface Expectation {
  /** Index in the file of the line after the command. */
  from: number;
  lines: string[];
  shows: string[];
  never: RegExp[];
  /** Excerpts of stdout, stderr and shown files: with lines of "…", and "(…)" in lines, in place of what is left out. */
  excerpts: Map<string, string>;
  /** The lines are those of a row: others may stand around them. */
  isRow?: boolean;
}

export interface CommandStep {
  line: string;
  args: string[];
  expected: Expectation;
}

type Step = { files: Record<string, string | null> } | { code: (folder: string) => void } | CommandStep;

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
  /** Or rows. */
  hasSections: boolean;
  hasTable: boolean;
}

const HEADING = /^(#+) (.+)$/;
const FENCE = /^(`{3,})(.*)$/;
/** After a fence: language, name of a file or what the block is, and what follows the name. */
const INFO = /^\w+ (.+?)( made by)?$/;
/** One of several in a line: a file and its text, or a file and what it is, or code of a kind. */
const IN_LINE =
  /(?:`(?<file>[^`]+)`(?:(?<how>: | made by )`(?<text>[^`]+)`| is (?<state>empty|removed))|(?<kind>settings|definitions|code): `(?<code>[^`]+)`)(?:, |$)/y;
const COMMAND = /^\$ clone-prof ?(.*)$/;
const COMMENT = / # .*$/;
const SHOWN = /^\$ cat (.+)$/;
const NEVER = /^\? never \/(.+)\/(\w*)$/;
/** The last line of stderr has the exit code. */
const STDERR = /^!\d*(?: |$)/;
const EXIT = /^\?(?: (-?\d+))?$/;
const NO_FILE = '! No such file';
/** Starts of lines in a console that are not a line of stdout. */
const MARKED = /^(?:!\d*(?: |$)|\?(?: |$)|\$ |\\| *```)/;
const LEFT_OUT = '…';
const LEFT_OUT_OF_LINE = '(…)';

/** A word in double quotes is written as in JSON. */
const unquoted = (word: string): string => (word.startsWith('"') ? (JSON.parse(word) as string) : word);

/** `${…}` in a word is the text that a definition gives. */
const wordsOf = (line: string, definitions: string): string[] =>
  (line.replace(COMMENT, '').match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []).map((word) =>
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
    const [, fence, info = ''] = FENCE.exec(line) ?? [];
    if (!section) {
      if (fence || line.startsWith('|')) this.#fail('there is no section for it');
    } else if (section.hasTable) {
      if (line !== '') this.#fail('the section ends with its table');
    } else if (line.startsWith('|')) this.#readTable(section, line);
    else if (fence && info === 'console') this.#readConsole(section, fence);
    else if (fence) {
      const [, name, madeBy] = INFO.exec(info) ?? [];
      this.#readBlock(section, name ?? this.#fail('the block has no name'), this.#block(fence), !!madeBy);
    } else if (line.startsWith('- ')) this.#readItem(section, line);
  }

  /** Files and code of one line, in their order. */
  #readItem(section: Section, line: string): void {
    IN_LINE.lastIndex = 2;
    while (IN_LINE.lastIndex < line.length) {
      const { file, how, text = '', state, kind, code } = IN_LINE.exec(line)?.groups ?? {};
      if (kind && code) this.#readBlock(section, kind, code, false);
      else if (file && state === 'removed') this.#put(section, file, null);
      else if (file) this.#readBlock(section, file, text, how === ' made by ');
      else this.#fail('this item is not known');
    }
  }

  #readTable(section: Section, line: string): void {
    section.hasTable = true;
    const heads = this.#tried(() => headsOf(line, this.#lines[this.#at++]));
    while (this.#lines[this.#at]?.startsWith('|')) this.#readRow(section, heads, this.#lines[this.#at++]!);
    if (!section.hasSections) this.#fail('there is no row below');
  }

  /** A row is a section below that of its table. Its last command is that of the section if it has none. */
  #readRow({ level }: Section, heads: string[], line: string): void {
    const { title, steps, answer } = this.#tried(() => rowOf(line, heads));
    const section = this.#openSection(level + 1, title);
    if (!steps.some((step) => 'commands' in step && step.commands.length > 0)) {
      const given = this.#takeCommand(section);
      steps.push({ commands: [given.line] });
      answer.unshift(...given.expected.lines);
    }
    for (const step of steps)
      if ('commands' in step)
        for (const command of step.commands) this.#putCommand(section, command, expectationOf(this.#at, []));
      else if (step.files !== '') this.#readItem(section, `- ${step.files}`);
    // What looks at files stands after the command.
    const last = section.steps.findLast((step): step is CommandStep => 'line' in step)!;
    last.expected = { ...expectationOf(this.#at, answer), excerpts: new Map(), isRow: true };
    this.#closeTo(level + 1);
  }

  #takeCommand({ steps }: Section): CommandStep {
    const last = steps.pop();
    return last && 'line' in last ? last : this.#fail('there is no command above the table');
  }

  #readBlock(section: Section, name: string, text: string, isMade: boolean): void {
    if (name === 'definitions') section.definitions += `${text}\n`;
    else if (name === 'settings')
      section.settings = { ...section.settings, ...(this.#value(section, text) as Settings) };
    else if (name === 'code')
      section.steps.push({ code: this.#value(section, text) as (folder: string) => void });
    else this.#put(section, name, isMade ? this.#madeText(section, text) : text);
  }

  #put(section: Section, name: string, text: string | null): void {
    section.steps.push({ files: { [unquoted(name)]: text } });
  }

  /** Commands, each with its answer below it. */
  #readConsole(section: Section, fence: string): void {
    const end = this.#endOf(fence);
    while (this.#at < end) {
      const [, line] = COMMAND.exec(this.#lines[this.#at++]!) ?? this.#fail('this is not a command');
      const from = this.#at;
      while (this.#at < end && !COMMAND.test(this.#lines[this.#at]!)) this.#at++;
      this.#putCommand(section, line!, expectationOf(from, this.#lines.slice(from, this.#at)));
    }
    this.#at = end + 1;
  }

  #putCommand({ steps, definitions }: Section, line: string, expected: Expectation): void {
    steps.push({ line, args: wordsOf(line, definitions), expected });
  }

  #value({ definitions }: Section, code: string): unknown {
    return this.#tried(() => evaluate(definitions, code));
  }

  /** Fails with the line if that throws. */
  #tried<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      return this.#fail(String(error));
    }
  }

  #madeText(section: Section, code: string): string {
    const value = this.#value(section, code);
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  #openSection(level: number, title: string): Section {
    this.#closeTo(level);
    const above = this.#open.at(-1);
    if (above) above.hasSections = true;
    const section = {
      ...{ level, title, definitions: above?.definitions ?? '', settings: above?.settings ?? {} },
      ...{ steps: [...(above?.steps ?? [])], hasSections: false, hasTable: false },
    };
    this.#open.push(section);
    return section;
  }

  #closeTo(level: number): void {
    for (let last = this.#open.at(-1); last && last.level >= level; last = this.#open.at(-1)) {
      const name = this.#open.map(({ title }) => title).join(': ');
      this.#open.pop();
      if (!last.hasSections) this.cases.push({ name, settings: last.settings, steps: last.steps });
    }
  }

  /** Content of the fenced block that was opened. An empty last line stands for the end of a line. */
  #block(fence: string): string {
    const end = this.#endOf(fence);
    const text = this.#lines.slice(this.#at, end).join('\n');
    this.#at = end + 1;
    return text;
  }

  #endOf(fence: string): number {
    const end = this.#lines.indexOf(fence, this.#at);
    return end < 0 ? this.#fail('this block does not end') : end;
  }

  #fail(reason: string): never {
    throw new Error(`line ${this.#at}: ${reason}: ${this.#lines[this.#at - 1]}`);
  }
}

export const readCases = (text: string): Case[] => new CaseReader(text).readAll();

/** Label of what a file holds after a command. */
const shownLabel = (name: string) => `$ cat ${name}`;

/** Reads the lines below a command. */
function expectationOf(from: number, lines: string[]): Expectation {
  const read: Expectation = { from, lines, shows: [], never: [], excerpts: new Map() };
  const texts = new Map<string, string[]>();
  let label = 'stdout';
  for (const line of lines) {
    const [, file] = SHOWN.exec(line) ?? [];
    const [, source, flags] = NEVER.exec(line) ?? [];
    if (file) {
      read.shows.push(file);
      label = shownLabel(file);
    } else if (source) read.never.push(new RegExp(source, flags));
    else if (!EXIT.test(line)) {
      const stream = label === 'stdout' && STDERR.test(line) ? 'stderr' : label;
      const text = line.replace(stream === 'stderr' ? STDERR : /^\\/, '');
      texts.set(stream, [...(texts.get(stream) ?? []), text]);
    }
  }
  for (const [name, shown] of texts)
    if (shown.includes(LEFT_OUT) || shown.some((line) => line.includes(LEFT_OUT_OF_LINE)))
      read.excerpts.set(name, shown.join('\n'));
  return read;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const patternOf = (line: string): RegExp =>
  new RegExp(`^${line.split(LEFT_OUT_OF_LINE).map(escaped).join('\\(.*\\)')}$`);

/** Lines of an excerpt between what is left out. */
function partsOf(excerpt: string): RegExp[][] {
  const parts: RegExp[][] = [[]];
  for (const line of excerpt.split('\n'))
    if (line === LEFT_OUT) parts.push([]);
    else parts.at(-1)!.push(patternOf(line));
  return parts;
}

/** True if all parts of an excerpt are in the text, in their order: the first one at its start, the last at its end. */
function isExcerptOf(text: string, excerpt: string): boolean {
  const lines = text.split('\n');
  const [first = [], ...others] = partsOf(excerpt);
  const fits = (part: RegExp[], at: number) =>
    part.every((line, index) => line.test(lines[at + index] ?? '\n'));
  const last = others.pop();
  let at = first.length;
  for (const part of others) {
    while (at < lines.length && !fits(part, at)) at++;
    at += part.length;
  }
  const end = lines.length - (last ?? first).length;
  return fits(first, 0) && (last === undefined ? end === 0 : end >= at && fits(last, end));
}

/**
 * Lines of a text in a console, marked if they are of stderr. An excerpt that still fits stays an excerpt; of nothing
 * there is none, so that "…" alone demands some output.
 */
function shownLines(label: string, whole: string, { excerpts }: Expectation): string[] {
  const text = whole.trimEnd();
  if (text === '') return [];
  const excerpt = excerpts.get(label);
  const shown = excerpt !== undefined && isExcerptOf(text, excerpt) ? excerpt : text;
  return shown.split('\n').map((line) => {
    if (label === 'stderr') return line === '' ? '!' : `! ${line}`;
    return MARKED.test(line) ? `\\${line}` : line;
  });
}

/**
 * The lines that say what a command did; those of a row if they are among them. A line of its own has the exit code only
 * if nothing else says it.
 */
export function linesOf(run: CliRun, expected: Expectation): string[] {
  const { code, stdout, stderr, files } = run;
  const errors = shownLines('stderr', stderr, expected);
  if (code !== 0 && errors.length > 0) errors.push(`!${code}${errors.pop()!.slice(1)}`);
  const printed = [...shownLines('stdout', stdout, expected), ...errors];
  const others = [
    ...expected.never.map((never) => `? never ${never}`),
    ...Object.entries(files).flatMap(([name, text]) => [
      shownLabel(name),
      ...(text === null ? [NO_FILE] : shownLines(shownLabel(name), text, expected)),
    ]),
  ];
  const isSaid = code === 0 ? printed.length + others.length > 0 : errors.length > 0;
  const lines = [...printed, ...(isSaid ? [] : [`? ${code}`]), ...others];
  const demanded = expected.lines.filter((line) => !NEVER.test(line));
  return expected.isRow && hasLines(lines, demanded) ? expected.lines : lines;
}

// Code is an expression, after definitions, which may use what is listed here.

const fixture = (path: string) => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8');

/** Makes the folder a repository, with all that is in it on main. */
const repository = (folder: string) => makeRepository(folder, {});

const KNOWN = {
  ...{ ALL_HOSTILE, HOSTILE_KINDS, IN_FILE_NAMES, chmodSync, putFiles, readdirSync },
  ...{ assert, execFileSync, ToolError, fixture, linkSync, makeRepository, recording },
  ...{ readFileSync, recordingText, repository, row, runGit, shapeOf, statSync, symlinkSync, threadFiles },
  ...{ triedIn, truncateSync, writeFileSync },
};

const evaluate = (definitions: string, expression: string): unknown =>
  new Function(...Object.keys(KNOWN), `${definitions}\nreturn (${expression}\n);`)(...Object.values(KNOWN));
