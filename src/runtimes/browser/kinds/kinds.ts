import type { BrowserName } from '../../../model/names.ts';
import { chromium } from './chromium.ts';
import { firefox } from './firefox.ts';
import type { BrowserKind } from './kind.ts';
import { webkit } from './webkit.ts';

export const BROWSERS: Readonly<Record<BrowserName, BrowserKind>> = { chromium, firefox, webkit };
