import type { RuntimeId } from '../../model/documents/names.ts';
import { type Brand, ENGINE_OF, type RuntimeName } from '../../model/names.ts';

/** The first that fits: all but Firefox call themselves Safari, Chromium's heirs Chrome, and on iOS all are Safari. */
const BROWSERS: readonly [RuntimeName, RegExp][] = [
  ['webkit', /\b(?:iPhone|iPad|iPod)\b.*? OS (\d+(?:_\d+)*)/],
  ['firefox', /\bFirefox\/([\d.]+)/],
  ['chromium', /Chrom(?:e|ium)\/([\d.]+)/],
  ['webkit', /\bVersion\/([\d.]+)/],
  ['firefox', /\bGecko\/\d+/],
];

/** Unbranded Chromium reports Chromium or Chrome alone. Only the hints of the next table distinguish the two. */
const BRANDED: readonly [Brand, RegExp][] = [
  ['edge', /\bEdg(?:e|A|iOS)?\//],
  ['opera', /\b(?:OPR|OPT|OPX)\//],
  ['samsung', /\bSamsungBrowser\//],
  ['safari', /\b(?:Macintosh|iPhone|iPad|iPod)\b.*\bVersion\/[\d.]+.*\bSafari\//],
];

interface Navigator {
  userAgent: string;
  /** Chromium only, in secure contexts. */
  userAgentData?: { brands: { brand: string }[] };
}

function findBrand({ userAgent, userAgentData }: Navigator): { brand?: Brand } {
  const brand = BRANDED.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (brand !== undefined) return { brand };
  return userAgentData?.brands.some((one) => one.brand === 'Google Chrome') ? { brand: 'chrome' } : {};
}

/** The version is often only the major one, and WebKit names that of Safari. An unknown browser counts as WebKit. */
export function runningBrowser({ navigator } = globalThis as { navigator: Navigator }): RuntimeId {
  for (const [name, pattern] of BROWSERS) {
    const found = pattern.exec(navigator.userAgent);
    if (found === null) continue;
    const version = found[1]?.replaceAll('_', '.') ?? '0';
    return { name, ...findBrand(navigator), version, engine: ENGINE_OF[name] };
  }
  return { name: 'webkit', version: '0', engine: 'webkit' };
}
