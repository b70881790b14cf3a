/**
 * Codecs are written once for two languages. Types stand in comments of one form, so that the text itself is JavaScript:
 * what is timed is what is emitted.
 */

/** A string, as it stands in the text of a program. A key of the payload may look like code. */
const STRING = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.source;

/** `as T` and `<T>` stand for a cast and for type arguments. */
const PIECES = new RegExp(`${STRING}|\\/\\*(\\??: |as |<|type )(.*?) ?\\*\\/`, 'g');

/** Functions of which nothing is annotated, or only what they return. */
const FUNCTIONS = new RegExp(`${STRING}|(function \\w+\\()([\\w$, ]*)\\)( \\{|\\/\\*: )`, 'g');

const rendered = (text: string, annotation: (kind: string, type: string) => string): string =>
  text.replace(PIECES, (_, literal: string | undefined, kind: string, type: string) =>
    literal === undefined ? annotation(kind, type) : literal,
  );

export const asJavaScript = (text: string): string =>
  rendered(text.replace(/^ *\/\*type .*\*\/\n+/gm, ''), () => '');

/** The same without exports: to be pasted, or run. */
export const asPasted = (text: string): string => asJavaScript(text).replace(/^export /gm, '');

/** What functions without annotations take and return is `unknown`. */
export function asTypeScript(text: string): string {
  const annotated = text.replace(
    FUNCTIONS,
    (_, literal: string | undefined, open: string, names: string, after: string) =>
      literal ??
      `${open}${names.replace(/[\w$]+/g, '$&: unknown')})${after === ' {' ? ': unknown {' : after}`,
  );
  return rendered(annotated, (kind, type) => (kind === 'as ' ? ` as ${type}` : kind + type));
}

/** What a module is written in. */
export type ModuleLanguage = 'typescript' | 'javascript' | 'commonjs';

export const inLanguage = (text: string, language: ModuleLanguage): string =>
  language === 'typescript' ? asTypeScript(text) : asJavaScript(text);
