import { page } from './page/page.ts';
import type { Platform } from './platform.ts';

export const currentPlatform = (): Platform => page;
