import type { RecipeForm, Source } from '../../model/report/recipe.ts';
import { bytes } from '../../report/text/numbers.ts';

export type PastedForm = 'json' | 'javascript' | 'text' | 'bytes';

export interface Given {
  /** Name for errors, such as "payload.json". */
  name: string;
  data: Blob;
  as: PastedForm;
}

/** Maximum input. It is parsed twice, described four times, and held by two threads: a phone fails with more. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Matches an export statement of a module; other code is an expression. A match in a string is harmless. */
const EXPORT = /^\s*export\b/m;

/** Wraps an expression in a factory, for a fresh value per message. Line numbers stay correct. */
const asModule = (text: string): string => (EXPORT.test(text) ? text : `export default () => (${text}\n)`);

/** Name of a pasted payload in each form, and the files that are read in it; other files are bytes. */
const FORMS: Record<PastedForm, { name: string; files?: RegExp }> = {
  json: { name: 'payload.json', files: /\.json$/i },
  javascript: { name: 'payload.js', files: /\.[mc]?js$/i },
  text: { name: 'payload.txt', files: /\.(?:txt|md|csv|xml|html|svg)$/i },
  bytes: { name: 'payload.bin' },
};

const readAsFor = (name: string): PastedForm =>
  (Object.keys(FORMS) as PastedForm[]).find((as) => FORMS[as].files?.test(name)) ?? 'bytes';

export async function pastedSource({ name, data, as }: Given) {
  const isCode = as === 'javascript';
  const build: RecipeForm = isCode
    ? { form: 'module', file: name, original: name, export: '*' }
    : { form: as, file: name };
  const recipe = { id: name.replace(/\.\w+$/, ''), source: { file: name, export: null }, build };
  const file = isCode ? new Blob([asModule(await data.text())], { type: 'text/javascript' }) : data;
  const source: Source = { kind: isCode ? 'open' : 'ready', recipe };
  return { source, files: new Map([[name, file]]) };
}

/** A longer text would make the text field slow, so it is held outside of the field. */
const MAX_SHOWN = 1_000_000;

export function refuseSize(size: number): string | null {
  if (size === 0) return 'There is no payload. Paste one, or drop a file.';
  if (size <= MAX_BYTES) return null;
  return `The payload has ${bytes(size)}, and this page takes up to ${bytes(MAX_BYTES)}. The command takes more: npx clone-prof analyze <file>`;
}

export const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

/** The payload of the form: the content of the text field, or a file or long text held outside of it. */
export class Input {
  onChange: () => void = () => undefined;
  readonly #form = byId<HTMLFormElement>('form');
  readonly #text = byId<HTMLTextAreaElement>('text');
  readonly #file = byId<HTMLInputElement>('file');
  readonly #heldLine = byId('held');
  #held: { name: string; data: Blob } | null = null;

  constructor() {
    this.#form.addEventListener('change', () => this.onChange());
    this.#text.addEventListener('input', () => this.onChange());
    this.#text.addEventListener('paste', (event) => this.#pasted(event));
    this.#file.addEventListener('change', () => this.#take(this.#file.files?.[0]));
    this.#heldLine.querySelector('button')?.addEventListener('click', () => this.#hold(null));
    document.addEventListener('dragover', (event) => this.#over(event, true));
    document.addEventListener('dragleave', (event) => this.#over(event, false));
    document.addEventListener('drop', (event) => {
      this.#over(event, false);
      this.#take(event.dataTransfer?.files[0]);
    });
  }

  get as(): PastedForm {
    return new FormData(this.#form).get('as') as PastedForm;
  }

  given(): Given {
    const { as } = this;
    if (this.#held) return { ...this.#held, as };
    return { name: FORMS[as].name, data: new Blob([this.#text.value]), as };
  }

  show(text: string, as: PastedForm): void {
    this.#hold(null);
    this.#text.value = text;
    this.#readAs(as);
  }

  #readAs(as: PastedForm): void {
    for (const radio of this.#form.querySelectorAll<HTMLInputElement>('input[name=as]'))
      radio.checked = radio.value === as;
    this.onChange();
  }

  #pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text') ?? '';
    if (text.length <= MAX_SHOWN) return;
    event.preventDefault();
    this.#hold({ name: FORMS[this.as].name, data: new Blob([text]) });
  }

  #over(event: DragEvent, isOver: boolean): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    document.body.classList.toggle('dropping', isOver);
  }

  #take(file: File | undefined): void {
    if (file === undefined) return;
    this.#hold({ name: file.name, data: file });
    this.#readAs(readAsFor(file.name));
  }

  #hold(held: { name: string; data: Blob } | null): void {
    this.#held = held;
    this.#heldLine.hidden = held === null;
    this.#text.disabled = held !== null;
    if (held === null) this.#file.value = '';
    const line = this.#heldLine.querySelector('span');
    if (line) line.textContent = held === null ? '' : `${held.name}, ${bytes(held.data.size)}`;
    this.onChange();
  }
}
