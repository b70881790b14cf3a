/** Sentences as data: text, code and tones. Nothing is escaped, wrapped or coloured yet. */
import { foldedPath } from '../../text/paths.ts';

/** Quality of a result; `muted` is of minor importance. Each format has its own colours and marks. */
export type Tone = 'good' | 'fair' | 'poor' | 'bad' | 'muted';

export type Sign = 'faster' | 'slower' | 'same' | 'unsure';

export const SIGNS: Record<Sign, string> = { faster: '✓', slower: '✗', same: '=', unsure: '?' };

export interface StyledText {
  text: string;
  /** True for a path, an id or a name, of the payload or of the rule book. */
  code?: true;
  tone?: Tone;
  /** True for the most important part of a line. */
  strong?: true;
  /** Adds the mark of its tone, or the mark of a comparison. */
  marked?: true | Sign;
}

export type Span = string | StyledText;
export type Sentence = readonly Span[];

/** Code span whose repeated path steps are folded. */
export const code = (text: string): StyledText => ({ text: foldedPath(text), code: true });

export const muted = (text: string): StyledText => ({ text, tone: 'muted' });

/** Text without its styles. */
export const plainText = (spans: Sentence): string =>
  spans.map((span) => (typeof span === 'string' ? span : span.text)).join('');

/** sentence`Path: ${code(path)}.` */
export function sentence(strings: TemplateStringsArray, ...spans: (Span | Sentence)[]): Sentence {
  const all = strings.flatMap((text, index) => [text, spans[index] ?? '']);
  return all.flat().filter((span) => span !== '');
}

export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The text up to the first full stop, or all of it. */
export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
