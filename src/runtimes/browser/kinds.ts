/** The browsers that are started, by family: where their programs are, and how each starts for a guest. */
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { compareVersions } from '../../engines/versions/versions.ts';
import type { BrowserName } from '../../model/names.ts';
import { type Environment, type ProgramKind, printedVersion } from '../process/kinds.ts';

/** Chrome and Edge are programs of the family Chromium. */
export interface BrowserProgram {
  /** On PATH. */
  commands: readonly string[];
  /** Paths in addition to PATH: `*` is any part of a name; on Windows below the folders of programs. */
  places: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
}

export interface BrowserKind extends ProgramKind {
  /** Programs by the name for `-r`. The family's name also stands for the others if its own program is missing. */
  programs: Readonly<Record<string, BrowserProgram>>;
  /** Command that starts the binary with arguments, for a kind that needs something around it. */
  command?(binary: string, args: readonly string[]): [binary: string, args: string[]];
  /** Arguments for a window without a display that opens `url`, with all that it keeps in the folder `profile`. */
  args(profile: string, url: string): readonly string[];
  /** Arguments for a browser that is driven over two pipes, opens no page and loads extensions; absent if it cannot. */
  extended?(profile: string): readonly string[];
  profile?(): Readonly<Record<string, string | Uint8Array>>;
  env: Environment;
}

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

const program = (
  commands: string[],
  linux: string[],
  [onMac, onWindows]: readonly [app: string, path: string],
): BrowserProgram => ({
  commands,
  places: {
    linux,
    darwin: [`/Applications/${onMac}.app/Contents/MacOS/${onMac}`],
    win32: [onWindows],
  },
});

/** The sandbox refuses to run as root; the shared memory of a container is often too small for a few messages. */
const forced = () => ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

const guestArgs = (profile: string): string[] => [
  '--headless=new',
  `--user-data-dir=${profile}`,
  // Pages of guests ask for nothing.
  ...['--no-proxy-server', '--disable-quic', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*'],
  ...AWAKE,
  ...forced(),
  '--js-flags=--allow-natives-syntax --expose-gc',
];

/** For the user's page: it may use the network, and it does not see that it is driven (`navigator.webdriver`). */
export const drivenArgs = (profile: string, { isHeadless }: { isHeadless: boolean }): string[] => [
  ...(isHeadless ? ['--headless=new', ...AWAKE] : []),
  `--user-data-dir=${profile}`,
  ...SILENT,
  ...forced(),
  '--disable-blink-features=AutomationControlled',
  '--remote-debugging-pipe',
  'about:blank',
];

/**
 * The version by the names next to the binary, for Windows, where a program with windows prints nothing. There is a folder
 * for each version that is installed; an update is there before it is used.
 */
export const versionBeside = (names: readonly string[]): string | null =>
  names.filter((name) => /^(\d+\.){3}\d+$/.test(name)).sort(compareVersions)[0] ?? null;

const printedByChromium = printedVersion(
  (printed) =>
    /^(?:Chromium|Google Chrome|Microsoft Edge|Brave Browser)[^\d\n]* ([\d.]+)/m.exec(printed)?.[1] ?? null,
);

export const chromium: BrowserKind = {
  oldest: '110',
  programs: {
    chromium: program(
      ['chromium', 'chromium-browser'],
      ['/usr/bin/chromium', '/usr/lib/chromium/chromium', '/snap/bin/chromium'],
      ['Chromium', 'Chromium\\Application\\chrome.exe'],
    ),
    chrome: program(
      ['google-chrome', 'google-chrome-stable'],
      ['/opt/google/chrome/chrome'],
      ['Google Chrome', 'Google\\Chrome\\Application\\chrome.exe'],
    ),
    edge: program(
      ['microsoft-edge', 'microsoft-edge-stable'],
      ['/opt/microsoft/msedge/msedge'],
      ['Microsoft Edge', 'Microsoft\\Edge\\Application\\msedge.exe'],
    ),
    brave: program(
      ['brave-browser', 'brave'],
      ['/opt/brave.com/brave/brave'],
      ['Brave Browser', 'BraveSoftware\\Brave-Browser\\Application\\brave.exe'],
    ),
  },
  async version(binary, ask) {
    const beside = process.platform === 'win32' ? versionBeside(readdirSync(dirname(binary))) : null;
    return beside ?? printedByChromium(binary, ask);
  },
  args: (profile, url) => [...guestArgs(profile), ...SILENT, url],
  // Chrome takes no extension from its command line (from 137 on), but from who drives it over pipes.
  extended: (profile) => [
    ...guestArgs(profile),
    ...SILENT.filter((flag) => flag !== '--disable-extensions'),
    '--remote-debugging-pipe',
    '--enable-unsafe-extension-debugging',
    'about:blank',
  ],
  // Relative to its home folder, where it works: the path of its socket has at most 104 bytes (unix(4)), and that of a temporary folder is long.
  env: { TMPDIR: '.' },
};

/**
 * MiniBrowser needs a display. It gets a separate display in the memory of Xvfb, in the same process group. If Xvfb has
 * no sockets in the file system, it does not make a lock either, so nothing is left when it is killed (Xserver(1),
 * -displayfd, -nolisten). It ends with its last client. The display number is chosen here: if Xvfb looked for a free
 * number, it might take that of a server which is about to end and still has clients.
 */
const WITH_DISPLAY = `
display=$1
shift
ready=$(Xvfb ":$display" -displayfd 3 -screen 0 800x600x24 -terminate -nolisten tcp -nolisten unix \${XAUTHORITY:+-auth "$XAUTHORITY"} 3>&1 >/dev/null &)
[ -n "$ready" ] || exit 1
export DISPLAY=":$display"
exec "$@"
`;

function onDisplay(binary: string, args: readonly string[]): [binary: string, args: string[]] {
  // Few others use these; TCP ports of displays begin at 6000, and end at 65535.
  const display = randomInt(1000, 59_000);
  return ['/bin/sh', ['-c', WITH_DISPLAY, 'sh', `${display}`, binary, ...args]];
}

/** An entry of an Xauthority file, for any address and display: other users of the machine cannot look at the pages. */
function authority(): Uint8Array {
  const part = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, bytes.length]), bytes]);
  const anyAddress = Buffer.from([0xff, 0xff]);
  const parts = ['', '', 'MIT-MAGIC-COOKIE-1'].map((text) => part(Buffer.from(text)));
  return Buffer.concat([anyAddress, ...parts, part(randomBytes(16))]);
}

/** The test browser of WebKitGTK: no other browser with WebKit opens a page without questions. */
const webkit: BrowserKind = {
  oldest: '2.40',
  programs: {
    webkit: {
      commands: ['MiniBrowser'],
      places: {
        linux: ['/usr/lib/*', '/usr/libexec', '/usr/lib'].flatMap((folder) =>
          ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'].map(
            (name) => `${folder}/${name}/MiniBrowser`,
          ),
        ),
      },
    },
  },
  // No other program gets a display.
  async version(binary, ask) {
    if (basename(binary) !== 'MiniBrowser') return null;
    const printed = await ask(...onDisplay(binary, ['--version']), { XAUTHORITY: undefined });
    return /^WebKitGTK ([\d.]+)/m.exec(printed)?.[1] ?? null;
  },
  command: onDisplay,
  // --private is missing: such a window keeps databases in memory, and no Blob in them.
  args: (_profile, url) => [url],
  profile: () => ({ xauthority: authority() }),
  env: {
    GDK_BACKEND: 'x11',
    // The browser does not use the desktop: no accessibility bus, no settings, no volumes.
    NO_AT_BRIDGE: '1',
    GSETTINGS_BACKEND: 'memory',
    GIO_USE_VFS: 'local',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    // Off by default, also in isolated pages (JavaScriptCore, runtime/OptionsList.h).
    JSC_useSharedArrayBuffer: '1',
  },
};

/** The browser fetches nothing; `network.dns.disabled` alone stops all lookups. The clock is as fine as it can be. */
const PREFS: Readonly<Record<string, boolean | number | string>> = {
  'network.dns.disabled': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.prefetch-next': false,
  'network.proxy.type': 0,
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.cache.disk.enable': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.topsites.contile.enabled': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.push.enabled': false,
  'dom.ipc.processPrelaunch.enabled': true,
  // The system's extensions are not loaded: they would run during the measurement and take a fifth of the start.
  'extensions.enabledScopes': 0,
  'extensions.installDistroAddons': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'identity.fxaccounts.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'privacy.reduceTimerPrecision': false,
  'privacy.reduceTimerPrecision.unconditional': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.unified': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'trailhead.firstrun.didSeeAboutWelcome': true,
};

const USER_JS = Object.entries(PREFS)
  .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
  .join('');

const firefox: BrowserKind = {
  oldest: '115',
  programs: {
    firefox: {
      commands: ['firefox', 'firefox-esr'],
      places: {
        linux: [
          '/usr/bin/firefox',
          '/usr/lib/firefox/firefox',
          '/usr/lib/firefox-esr/firefox-esr',
          '/snap/bin/firefox',
        ],
        darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
        win32: ['Mozilla Firefox\\firefox.exe'],
      },
    },
  },
  version: printedVersion((printed) => /^Mozilla Firefox ([\d.]+)/m.exec(printed)?.[1] ?? null),
  args: (profile, url) => ['--headless', '--no-remote', '--profile', profile, url],
  profile: () => ({ 'user.js': USER_JS }),
  env: {
    MOZ_CRASHREPORTER_DISABLE: '1',
    MOZ_DISABLE_AUTO_SAFE_MODE: '1',
    // It ends when the process of a page has crashed; else the stream to that page stays open (ContentCrashHandlers.sys.mjs).
    MOZ_CRASHREPORTER_SHUTDOWN: '1',
  },
};

export const BROWSERS: Readonly<Record<BrowserName, BrowserKind>> = { chromium, firefox, webkit };

export const isBrowser = (name: string): name is BrowserName => Object.hasOwn(BROWSERS, name);

/** Names of each family for `-r`; the family itself may be one. */
export const BROWSER_PROGRAMS = Object.entries(BROWSERS).flatMap(([family, { programs }]) =>
  Object.entries(programs).map(([name, program]) => ({ name, runtime: family as BrowserName, ...program })),
);
