import { renderUnicodeCompact } from 'uqr';
import type { OpenLink } from '../../model/run/runtime.ts';
import { counted } from '../../reporters/text/numbers.ts';
import type { World } from './world.ts';

/** As an extra square for a phone's camera: four light modules around it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

const WARNING =
  'warning: --listen: whoever has the link can take part, and the network can read what is sent: it is http. Such pages are not isolated: times come in blocks';

/** The link, and on a terminal with room for it the code of the link for a camera. */
export async function showLink(
  { url, browsers, timeoutMs, isPublic }: OpenLink,
  { stderr }: Pick<World, 'stderr'>,
): Promise<void> {
  if (isPublic) await stderr.line(WARNING);
  const code = renderUnicodeCompact(url, { border: QUIET_ZONE }).split('\n');
  if (stderr.isTTY && stderr.columns > (code[0]?.length ?? 0))
    for (const line of code) await stderr.line(line);
  const where = isPublic ? 'on any device of the network' : 'on this machine';
  await stderr.line(
    `waiting up to ${timeoutMs / 1000} s for ${counted(browsers, 'browser')} ${where} to open ${url} (Ctrl-C ends)`,
  );
}
