/** Builds the value of a source in a page, and in a frame of it what is of another realm. */
import { builder } from './builder.ts';

interface Frame extends Element {
  contentWindow: { eval(code: string): unknown };
}
declare const document: { createElement(name: string): Frame; body: { append(frame: Frame): void } };

const frame = document.createElement('iframe');
document.body.append(frame);

export const built = builder((code) => frame.contentWindow.eval(code));
