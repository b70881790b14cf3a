/** Sentences as data: what is text, what is code, and how good it is. Nothing is escaped, wrapped or coloured yet. */

/** How good something is, or that it matters less. Each format has its own colours and marks for the tones. */
export type Tone = 'good' | 'fair' | 'poor' | 'bad' | 'muted';

export interface StyledText {
  text: string;
  /** A path, an id or a name, of the payload or of the rule book. */
  code?: true;
  tone?: Tone;
  /** With the mark of its tone, for readers without colours. */
  marked?: true;
}

export type Span = string | StyledText;
export type Sentence = readonly Span[];

export const code = (text: string): StyledText => ({ text, code: true });

export const muted = (text: string): StyledText => ({ text, tone: 'muted' });

/** sentence`Path: ${code(path)}.` */
export function sentence(strings: TemplateStringsArray, ...spans: (Span | Sentence)[]): Sentence {
  const all = strings.flatMap((text, index) => [text, spans[index] ?? '']);
  return all.flat().filter((span) => span !== '');
}

export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
