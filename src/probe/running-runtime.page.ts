import { ENGINE_OF, type RuntimeId, type RuntimeName } from '../model/names.ts';

/** First of each row: what only this browser says. All but Firefox call themselves Safari, and Chromium's heirs Chrome. */
const BROWSERS: readonly [RuntimeName, RegExp][] = [
  ['firefox', /\bFirefox\/([\d.]+)/],
  ['chromium', /Chrom(?:e|ium)\/([\d.]+)/],
  ['webkit', /\bVersion\/([\d.]+)/],
];

/**
 * The browser of this page, or of this worker, as it calls itself: the version is often only the major one, and WebKit
 * names that of Safari. What is not known counts as WebKit.
 */
export function runningRuntime(): RuntimeId {
  const { userAgent } = (globalThis as typeof globalThis & { navigator: { userAgent: string } }).navigator;
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { name, version, engine: ENGINE_OF[name] };
  }
  return { name: 'webkit', version: '0', engine: 'webkit' };
}
