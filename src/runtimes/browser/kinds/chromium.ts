import { compareVersions } from '../../../core/versions.ts';
import type { BrowserKind } from './kind.ts';

/** Nothing is looked up or fetched, at the start or later (peter.sh/experiments/chromium-command-line-switches). */
const SILENT = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-sync',
  '--metrics-recording-only',
  `--disable-features=${[
    ...['MediaRouter', 'OptimizationHints', 'Translate', 'DialMediaRouteProvider'],
    'InterestFeedContentSuggestions',
    // Pages of the browser itself, for suggestions below its address bar: they take more than the rest of its start.
    ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ].join(',')}`,
  '--password-store=basic',
  '--use-mock-keychain',
];

/** Keeps a page in the background as fast as a page in front. */
const AWAKE = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** For all users, or for one. */
const windowsPlaces = (path: string): string[] =>
  ['%PROGRAMFILES%', '%PROGRAMFILES(X86)%', '%LOCALAPPDATA%'].map((folder) => `${folder}\\${path}`);

/** The sandbox refuses to run as root; the shared memory of a container is often too small for a few messages. */
const forced = () => ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

/** Flags for guests, whose pages ask for nothing. */
const WITHOUT_NETWORK = [
  '--no-proxy-server',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*',
];

const guestArgs = (profile: string): string[] => [
  '--headless=new',
  `--user-data-dir=${profile}`,
  ...WITHOUT_NETWORK,
  ...AWAKE,
  ...forced(),
  '--js-flags=--allow-natives-syntax --expose-gc',
];

/**
 * Arguments for the user's page, driven by the DevTools protocol over pipes: it may use the network, and it does not
 * see that it is driven (`navigator.webdriver`).
 */
export const drivenArgs = (profile: string, { isHeadless }: { isHeadless: boolean }): string[] => [
  ...(isHeadless ? ['--headless=new', ...AWAKE] : []),
  `--user-data-dir=${profile}`,
  ...SILENT,
  ...forced(),
  '--disable-blink-features=AutomationControlled',
  '--remote-debugging-pipe',
  'about:blank',
];

export const chromium: BrowserKind = {
  oldest: '110',
  programs: {
    chromium: {
      commands: ['chromium', 'chromium-browser'],
      places: {
        linux: ['/usr/bin/chromium', '/usr/lib/chromium/chromium', '/snap/bin/chromium'],
        darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium'],
        win32: windowsPlaces('Chromium\\Application\\chrome.exe'),
      },
    },
    chrome: {
      commands: ['google-chrome', 'google-chrome-stable'],
      places: {
        linux: ['/opt/google/chrome/chrome'],
        darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
        win32: windowsPlaces('Google\\Chrome\\Application\\chrome.exe'),
      },
    },
    edge: {
      commands: ['microsoft-edge', 'microsoft-edge-stable'],
      places: {
        linux: ['/opt/microsoft/msedge/msedge'],
        darwin: ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
        win32: windowsPlaces('Microsoft\\Edge\\Application\\msedge.exe'),
      },
    },
    brave: {
      commands: ['brave-browser', 'brave'],
      places: {
        linux: ['/opt/brave.com/brave/brave'],
        darwin: ['/Applications/Brave Browser.app/Contents/MacOS/Brave Browser'],
        win32: windowsPlaces('BraveSoftware\\Brave-Browser\\Application\\brave.exe'),
      },
    },
  },
  versionIn: (printed) =>
    /^(?:Chromium|Google Chrome|Microsoft Edge|Brave Browser)[^\d\n]* ([\d.]+)/m.exec(printed)?.[1] ?? null,
  // A folder for each version that is installed; an update is there before it is used.
  versionBeside: (names) =>
    names.filter((name) => /^(\d+\.){3}\d+$/.test(name)).sort(compareVersions)[0] ?? null,
  args: (profile, url) => [...guestArgs(profile), ...SILENT, url],
  // Chrome takes no extension from its command line (from 137 on), but from who drives it over pipes.
  extended: (profile) => [
    ...guestArgs(profile),
    ...SILENT.filter((flag) => flag !== '--disable-extensions'),
    '--remote-debugging-pipe',
    '--enable-unsafe-extension-debugging',
    'about:blank',
  ],
  // Relative to its home folder: the path of its socket has at most 104 bytes (unix(4)), and that of a temporary folder is long.
  env: { TMPDIR: '.' },
};
