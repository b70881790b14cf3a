/**
 * Codecs are written once for two languages. Types stand in comments of one form, so that the text itself is JavaScript:
 * what is timed is what is emitted.
 */

/** An annotation: `rows` and `any` for `rows: any`; `-` where the compiler finds the type by itself. */
export const typed = (type: string): string => `/*: ${type} */`;

/** Strings come first: a key of the payload may look like code. `as T` and `<T>` stand for a cast and for type arguments. */
const PIECES = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\*(\??: |as |<|type )(.*?) ?\*\//g;

/** `(item, i)` of functions without annotations. */
const PARAMETERS = /(function \w+\(|\()([\w$, ]*)(\)(?: \{| =>|\/\*: ))/g;

const rendered = (text: string, annotation: (kind: string, type: string) => string): string =>
  text.replace(PIECES, (_, literal: string | undefined, kind: string, type: string) =>
    literal === undefined ? annotation(kind, type) : literal,
  );

/** TypeScript of code in which nothing lacks a type. */
export const withTypes = (text: string): string =>
  rendered(text, (kind, type) => (kind === 'as ' ? ` as ${type}` : kind + type));

export const asJavaScript = (text: string): string => rendered(text, () => '');

/** Parameters without a type get `any`. */
export function asTypeScript(text: string): string {
  const withAny = (code: string) =>
    code.replace(PARAMETERS, (all, open: string, names: string, close: string) =>
      names === '' || (open === '(' && close === ') {')
        ? all
        : `${open}${names.replace(/[\w$]+/g, '$&: any')}${close}`,
    );
  const pieces = text.split(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/);
  const complete = pieces.map((piece, at) => (at % 2 === 0 ? withAny(piece) : piece)).join('');
  return rendered(complete, (kind, type) => (type === '-' ? '' : kind + type));
}
