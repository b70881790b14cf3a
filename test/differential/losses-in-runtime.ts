/**
 * Runs in the runtime under test: describes each value, and posts a fresh one to see what is really lost.
 * usage: losses-in-runtime <file for the answers> <file with the sources> [channel]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { realLosses } from '../../src/guest/describe/describe-payload.ts';
import { givePlatform } from '../../src/guest/platform/common/platform.ts';
import { runningPlatform } from '../../src/guest/platform/process/platforms.ts';
import type { Shape } from '../../src/model/documents/shape.ts';
import type { Channel } from '../../src/model/names.ts';
import type { RealLoss } from '../../src/model/wire/wire.ts';
import { describe } from '../../src/value/describe/describe.ts';
import { probeFor } from '../support/probe.ts';
import { built } from './built-value.ts';

export interface LossAnswer {
  shape: Shape;
  /** null when the engine refuses the value. */
  losses: RealLoss[] | null;
  /** What the post threw. */
  refused?: string | null;
}

// Its peers lie beside it.
givePlatform(runningPlatform());

/** What stands after this script: flags may stand before it. */
const after = process.argv.findIndex((arg) => arg.endsWith('.mjs')) + 1;

interface Electron {
  app: { exit(code?: number): void; whenReady(): Promise<void> };
  BrowserWindow: new (
    options: object,
  ) => {
    loadURL(url: string): void;
    webContents: { on(event: 'render-process-gone', listener: () => void): void };
  };
  ipcMain: { on(channel: string, listener: () => void): void };
  ipcRenderer: { send(channel: string): void };
}
const electron = () => createRequire(import.meta.url)('electron') as Electron;
const DONE = 'answered';

/** What has a bridge is the preload script of a page: this script again. */
async function inRenderer(): Promise<void> {
  const { app, BrowserWindow, ipcMain } = electron();
  await app.whenReady();
  ipcMain.on(DONE, () => app.exit());
  const additionalArguments = process.argv.slice(after - 1);
  const preload = fileURLToPath(import.meta.url);
  const webPreferences = { preload, additionalArguments, sandbox: false, offscreen: true };
  const window = new BrowserWindow({ show: false, webPreferences });
  window.webContents.on('render-process-gone', () => app.exit(1));
  window.loadURL('about:blank');
}

/** In a function: Electron is not ready before its main module is. */
async function answer(): Promise<void> {
  const [answerFile = '', sourceFile = '', channel = 'message-port'] = process.argv.slice(after);
  const answers: LossAnswer[] = [];
  for (const source of JSON.parse(readFileSync(sourceFile, 'utf8')) as string[]) {
    const shape = describe(built(source), await probeFor(), { channel: channel as Channel });
    answers.push({ shape, ...(await realLosses(built(source), channel as Channel)) });
  }
  writeFileSync(answerFile, JSON.stringify(answers));
  // A receiver may still run.
  if (type === 'renderer') electron().ipcRenderer.send(DONE);
  else process.exit();
}
const { type } = process as { type?: string };
const isBridged = process.argv.includes('electron-bridge');
void (isBridged && type === 'browser' ? inRenderer() : answer());
