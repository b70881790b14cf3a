/** Words as data: text, code and tones. Nothing is escaped, wrapped or coloured yet. */
import { parsePath } from '../value/read/paths.ts';

/** Parts in order, which may be nested. A part that does not apply is null, undefined or false. */
export type Parts<Part> = Part | null | undefined | false | readonly Parts<Part>[];

export const flat = <Part>(parts: Parts<Part>): Part[] => {
  if (parts === null || parts === undefined || parts === false) return [];
  return Array.isArray(parts) ? parts.flatMap((part: Parts<Part>) => flat(part)) : [parts as Part];
};

/** Quality of a result; `muted` is of minor importance. Each format has its own colours and marks. */
export type Tone = 'good' | 'fair' | 'poor' | 'bad' | 'muted';

export type Sign = 'faster' | 'slower' | 'same' | 'unsure';

const SIGNS: Record<Sign, string> = { faster: '✓', slower: '✗', same: '=', unsure: '?' };

export interface StyledText {
  text: string;
  /** True for a path, an id or a name, of the payload or of the rule book. */
  code?: true;
  tone?: Tone | undefined;
  /** True for the most important part of a line. */
  strong?: true;
  /** Adds the mark of its tone, or the mark of a comparison. */
  marked?: true | Sign;
}

export type Span = string | StyledText;
export type Sentence = readonly Span[];
export type Words = Parts<Span>;

export const markOf = ({ marked, tone = 'muted' }: StyledText, tones: Record<Tone, string>, signs = SIGNS) =>
  marked === true ? tones[tone] : marked && signs[marked];

export const code = (text: string): StyledText => ({ text: cutPath(text), code: true });

export const muted = (text: string): StyledText => ({ text, tone: 'muted' });

export const plainText = (spans: Sentence): string =>
  spans.map((span) => (typeof span === 'string' ? span : span.text)).join('');

export const sentenceOf = (words: Words): Sentence => flat<Span>(words).filter((span) => span !== '');

/** sentence`Path: ${code(path)}.` */
export const sentence = (strings: TemplateStringsArray, ...words: Words[]): Sentence =>
  sentenceOf(strings.flatMap((text, index): Words[] => [text, words[index]]));

export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

export const separated = (parts: readonly Words[], between: string): Words =>
  parts.map((part, at) => [at > 0 && between, part]);

export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** Cuts a name in the middle, because paths differ at their end. `longest` counts characters, not UTF-16 units. */
export function shortenName(name: string, longest: number): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const head = Math.floor((longest - 1) / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - longest).join('')}`;
}

/** A path into a payload of many levels, such as a linked list. */
const MAX_PATH_LENGTH = 80;

/** A text that is not a path is returned unchanged: a reader may copy it. */
export const cutPath = (text: string): string =>
  parsePath(text) === null ? text : shortenName(text, MAX_PATH_LENGTH);
