import type { Frame, Site } from '../../model/documents/recording.ts';

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//s;

/** A bundle holds code of packages: by the source map, its frame may be the library's. */
export function mappedSite({ user, library }: Site, mapFrame: (frame: Frame) => Frame): Site {
  const mapped = user && mapFrame(user);
  const [, name] = (library === null && mapped && PACKAGE.exec(mapped.file)) || [];
  if (mapped && name !== undefined) return { user: null, library: { name, version: null, frame: mapped } };
  return { user: mapped, library: library && { ...library, frame: mapFrame(library.frame) } };
}
