import { webParentEndpoint } from '../../common/web.ts';

/** The guests of this page are workers, which have no frames. */
export const frames = {};
export const windowEndpoint = webParentEndpoint;
