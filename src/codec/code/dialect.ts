/**
 * Codecs are written once for two languages. Types are comments of a fixed form, so that the text itself is JavaScript:
 * the emitted code is the timed code.
 */

/** A string literal in program text. A key of the payload may look like code. */
const STRING = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.source;

/** Matches annotations. `as T` and `<T>` stand for a cast and for type arguments. */
const PIECES = new RegExp(`${STRING}|\\/\\*(\\??: |as |<|type )(.*?) ?\\*\\/`, 'g');

/** Matches functions without annotations, or with a return type alone. */
const FUNCTIONS = new RegExp(`${STRING}|(function \\w+\\()([\\w$, ]*)\\)( \\{|\\/\\*: )`, 'g');

const rendered = (text: string, annotation: (kind: string, type: string) => string): string =>
  text.replace(PIECES, (_, literal: string | undefined, kind: string, type: string) =>
    literal === undefined ? annotation(kind, type) : literal,
  );

export const asJavaScript = (text: string): string =>
  rendered(text.replace(/^ *\/\*type .*\*\/\n+/gm, ''), () => '');

/** JavaScript without exports, to be pasted or run. */
export const asPasted = (text: string): string => asJavaScript(text).replace(/^export /gm, '');

/** TypeScript. Parameters and results without an annotation get the type `unknown`. */
export function asTypeScript(text: string): string {
  const annotated = text.replace(
    FUNCTIONS,
    (_, literal: string | undefined, open: string, names: string, after: string) =>
      literal ??
      `${open}${names.replace(/[\w$]+/g, '$&: unknown')})${after === ' {' ? ': unknown {' : after}`,
  );
  return rendered(annotated, (kind, type) => (kind === 'as ' ? ` as ${type}` : kind + type));
}

/** Language of a module. */
export type ModuleLanguage = 'typescript' | 'javascript' | 'commonjs';

export const inLanguage = (text: string, language: ModuleLanguage): string =>
  language === 'typescript' ? asTypeScript(text) : asJavaScript(text);
