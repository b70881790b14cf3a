import { randomBytes, randomInt } from 'node:crypto';
import type { BrowserName } from '../../../model/names.ts';
import { chromium } from './chromium.ts';
import type { BrowserKind } from './kind.ts';

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

/** Few others use these; TCP ports of displays begin at 6000, and end at 65535. */
const newDisplay = (): string => `${randomInt(1000, 59_000)}`;

const COOKIE = 'MIT-MAGIC-COOKIE-1';

/** One entry of an Xauthority file, for any address and display: other users of the machine cannot look at the pages. */
function authority(): Uint8Array {
  const part = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, bytes.length]), bytes]);
  const anyAddress = Buffer.from([0xff, 0xff]);
  const parts = ['', '', COOKIE].map((text) => part(Buffer.from(text)));
  return Buffer.concat([anyAddress, ...parts, part(randomBytes(16))]);
}

/** The test browser of WebKitGTK: no other browser with WebKit opens a page without questions. */
const webkit: BrowserKind = {
  oldest: '2.40',
  programs: {
    webkit: {
      commands: ['MiniBrowser'],
      places: {
        linux: [
          '/usr/lib/*/webkit2gtk-4.1/MiniBrowser',
          '/usr/lib/*/webkitgtk-6.0/MiniBrowser',
          '/usr/lib/*/webkit2gtk-4.0/MiniBrowser',
          '/usr/libexec/webkit2gtk-4.1/MiniBrowser',
          '/usr/libexec/webkitgtk-6.0/MiniBrowser',
          '/usr/lib/webkit2gtk-4.1/MiniBrowser',
          '/usr/lib/webkitgtk-6.0/MiniBrowser',
        ],
      },
    },
  },
  versionIn: (printed) => /^WebKitGTK ([\d.]+)/m.exec(printed)?.[1] ?? null,
  command: (binary, args) => ['/bin/sh', ['-c', WITH_DISPLAY, 'sh', newDisplay(), binary, ...args]],
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
        win32: [
          '%PROGRAMFILES%\\Mozilla Firefox\\firefox.exe',
          '%PROGRAMFILES(X86)%\\Mozilla Firefox\\firefox.exe',
        ],
      },
    },
  },
  versionIn: (printed) => /^Mozilla Firefox ([\d.]+)/m.exec(printed)?.[1] ?? null,
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
