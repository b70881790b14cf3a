import type { BrowserKind } from './kind.ts';

/** Nothing is looked up or fetched; `network.dns.disabled` alone keeps all lookups out. The clock is as fine as it can be. */
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
  // No extension of the system is loaded: it would run beside what is measured, and they take a fifth of the start.
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

export const firefox: BrowserKind = {
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
