/** The built page in a real Chromium. */
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../src/model/documents/report.ts';
import { ChromiumPage, closeChromium } from '../../support/devtools.ts';
import { runtime } from '../../support/runtimes.ts';

after(closeChromium);

export const FILE = new URL('../../../dist/playground.html', import.meta.url).href;
export const PATH = fileURLToPath(FILE);

const part = (id: string): string => `document.getElementById('${id}')`;

export class PlaygroundPage {
  readonly page: ChromiumPage;

  private constructor(page: ChromiumPage) {
    this.page = page;
  }

  static async open(address: string, size?: [number, number]): Promise<PlaygroundPage> {
    return new PlaygroundPage(await ChromiumPage.open(runtime('chromium').binary, address, size));
  }

  /** As a paste of a short text. */
  async paste(text: string, as = 'json'): Promise<void> {
    const set = `${part('text')}.value = ${JSON.stringify(text)}`;
    await this.page.evaluate(`document.querySelector('input[value=${as}]').click(), ${set}, null`);
  }

  /** Presses a button and waits until the page is done. */
  async press(button: 'classify' | 'measure' | 'example'): Promise<void> {
    // Less time than can be chosen: of figures it is only asserted that they are there.
    await this.page.evaluate(`${part('budget')}.selectedOptions[0].value = '300'; ${part(button)}.click()`);
    await this.page.until(`${part('stop')}.hidden`);
  }

  async unfold(): Promise<void> {
    await this.page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  }

  text(id: string): Promise<string> {
    return this.page.evaluate(`${part(id)}.innerText`);
  }

  isShown(id: string): Promise<boolean> {
    return this.page.evaluate(`!${part(id)}.hidden`);
  }

  /** What the page saves. */
  async report(): Promise<Report> {
    const text = await this.page.evaluate<string>(`new Promise((resolve) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = make;
        resolve(blob.text());
        return make.call(URL, blob);
      };
      ${part('save')}.querySelector('button').click();
    })`);
    return JSON.parse(text) as Report;
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
