import type { Recipe, RecipeForm, Source } from '../model/report/recipe.ts';
import { bytes } from '../reporters/text/numbers.ts';

/** Forms of input. The page runs code for `javascript` alone. */
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

const FORMS = {
  json: (file) => ({ form: 'json', file }),
  text: (file) => ({ form: 'text', file }),
  bytes: (file) => ({ form: 'bytes', file }),
  javascript: (file) => ({ form: 'module', file, original: file, export: '*' }),
} as const satisfies Record<PastedForm, (file: string) => RecipeForm>;

type Pasted = { source: Source; files: ReadonlyMap<string, Blob> };

export async function pastedSource({ name, data, as }: Given): Promise<Pasted> {
  const id = name.replace(/\.\w+$/, '');
  const recipe: Recipe = { id, source: { file: name, export: null }, build: FORMS[as](name) };
  if (as !== 'javascript') return { source: { kind: 'ready', recipe }, files: new Map([[name, data]]) };
  const module = new Blob([asModule(await data.text())], { type: 'text/javascript' });
  return { source: { kind: 'open', recipe }, files: new Map([[name, module]]) };
}

/** A longer text would make the text field slow, so it is held outside of the field. */
const MAX_SHOWN = 1_000_000;

const ENDINGS_OF = { json: 'json', javascript: 'js', text: 'txt', bytes: 'bin' } as const;
const pastedName = (as: PastedForm): string => `payload.${ENDINGS_OF[as]}`;

const ENDINGS: readonly [RegExp, PastedForm][] = [
  [/\.json$/i, 'json'],
  [/\.[mc]?js$/i, 'javascript'],
  [/\.(?:txt|md|csv|xml|html|svg)$/i, 'text'],
];

const readAsFor = (name: string): PastedForm => ENDINGS.find(([ending]) => ending.test(name))?.[1] ?? 'bytes';

/** Reason why a payload of this size is refused; null if it is accepted. */
export function refuseSize(size: number): string | null {
  if (size === 0) return 'There is no payload. Paste one, or drop a file.';
  if (size <= MAX_BYTES) return null;
  return `The payload has ${bytes(size)}, and this page takes up to ${bytes(MAX_BYTES)}. The command takes more: npx clone-prof analyze <file>`;
}

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

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
    return { name: pastedName(as), data: new Blob([this.#text.value]), as };
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
    this.#hold({ name: pastedName(this.as), data: new Blob([text]) });
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
