/**
 * Real runtimes for the tests. `scripts/test.mjs` fetches all of them before the tests start; a test looks them up.
 * Tests of a missing runtime are skipped by name. When CI=true they fail.
 */

import { delimiter, dirname } from 'node:path';
import { test } from 'node:test';
import type { BrowserName } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { runtimeDriver } from '../../src/runtimes/driver.ts';
import { type ProvisionOptions, provision } from '../../src/runtimes/provision/provision.ts';
import { installedBrowser, installedElectron, mayLack, TEST_BROWSERS } from './fetched.ts';
import { usually } from './whole.ts';

/** Fetched through npm into the cache of the tool, except the version of Node that runs the tests. */
export const FETCHED = [
  ...(['node@20.20.2', 'node@22.23.3', 'node@24.21.0', 'node@26.10.0', 'deno@2.9.6', 'deno@2.5.6'] as const),
  ...(['bun@1.4.5', 'bun@1.4.0', 'bun@1.3.14', 'bun@1.3.10', 'bun@1.3.9', 'bun@1.2.22'] as const),
  ...(['bun@1.2.21', 'bun@1.2.20', 'workerd@1.20261117.1'] as const),
] as const;

/** `node` is the Node that runs the tests. */
export type RuntimeSpec = 'node' | 'electron' | (typeof FETCHED)[number] | BrowserName;

/** The newest version of each, and the oldest where that differs most. */
export const MAIN_RUNTIMES = usually(['node', 'bun@1.4.5', 'deno@2.9.6'], ['bun@1.2.20']);

export type RuntimesBySpec = Record<string, FoundRuntime>;

/** What `scripts/test.mjs` found; a test file that is run alone looks into the cache itself. */
const { CLONE_PROF_TEST_RUNTIMES: given } = process.env;
const found = given === undefined ? await cachedRuntimes() : (JSON.parse(given) as RuntimesBySpec);

export async function provisioned(spec: string, options: ProvisionOptions): Promise<FoundRuntime> {
  return spec === `node@${process.versions.node}` ? running() : provision(spec, options);
}

async function cachedRuntimes(): Promise<RuntimesBySpec> {
  const lookUp = (spec: string) => provisioned(spec, { offline: true }).catch(() => null);
  const cached = await Promise.all([
    ...FETCHED.map(async (spec) => [spec, await lookUp(spec)] as const),
    ...TEST_BROWSERS.map(async (name) => [name, await installedBrowser(name)] as const),
    ['electron', await installedElectron()] as const,
  ]);
  return Object.fromEntries(cached.flatMap(([spec, runtime]) => (runtime ? [[spec, runtime]] : [])));
}

function running(): FoundRuntime {
  const version = process.versions.node;
  const spec = `node@${version}`;
  return { name: 'node', version, engine: 'v8', spec, binary: process.execPath, from: 'running' };
}

/** True if the tests may be without it. With CI=true only browsers and Electron may be missing. */
function isOptional(spec: RuntimeSpec): boolean {
  const browser = TEST_BROWSERS.find((name) => name === spec);
  return spec === 'electron' || (browser ? mayLack(browser) : process.env.CI !== 'true');
}

/** For the `skip` option of a test: false, or which runtimes are missing. */
export function missing(...specs: RuntimeSpec[]): string | false {
  const absent = specs.filter((spec) => spec !== 'node' && !found[spec]);
  if (absent.length === 0 || !absent.every(isOptional)) return false;
  return `${absent.join(', ')}: not here. npm test (electron: npm run test:whole) fetches what it can`;
}

export function runtime(spec: RuntimeSpec): FoundRuntime {
  const here = spec === 'node' ? running() : found[spec];
  if (!here) throw new Error(`${spec} is missing: it is not on this machine, and could not be fetched`);
  return here;
}

/** Variables of a program that finds this runtime by its name before any other. */
export const envWith = ({ binary }: Pick<FoundRuntime, 'binary'>): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [dirname(binary), process.env.PATH].join(delimiter),
});

/** For what the host does by itself, whatever runtime its guests have. */
export const ANY_RUNTIME = usually<RuntimeSpec>(['node'], ['bun@1.4.5', 'deno@2.9.6', 'bun@1.2.20']);

/** The same test on each browser that the tool can start, or on some of them. */
export function testOnBrowsers(
  name: string,
  body: (runtime: FoundRuntime) => Promise<void>,
  browsers: readonly BrowserName[] = TEST_BROWSERS,
): void {
  for (const browser of browsers) {
    test(`${browser}: ${name}`, { skip: missing(browser) }, () => body(runtime(browser)));
  }
}

/** Guests of runtimes that are processes, which need no bundles. */
export const processDriver = runtimeDriver(() => Promise.reject(new Error('no page is expected')));
