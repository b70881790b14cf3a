import type { Platform } from './common/platform.ts';
import { page } from './page/page.ts';

export const currentPlatform = (): Platform => page;
