/** Hand-written shapes, classified. */
import { classify } from '../../../src/engines/classify/classify.ts';
import { ENGINES, STANDARD } from '../../../src/engines/index.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { type Channel, ENGINE_OF, type RuntimeName } from '../../../src/model/names.ts';
import type { Classification } from '../../../src/model/rules/rule.ts';
import { shapeOf } from '../../make.ts';

/** `bun@1.4.5`, `firefox@153 message-port`, `bun@1.4.5 worker transferring`. */
export function run(where: string, rows: Facts[]): Classification {
  const [runtime = '', channel = 'worker', transferring] = where.split(' ');
  const [name, version = ''] = runtime.split('@') as [RuntimeName, string];
  const engine = ENGINE_OF[name];
  return classify(shapeOf(engine, ...rows), ENGINES[engine], STANDARD, {
    runtime: { name, version, engine },
    channel: channel as Channel,
    transferring: transferring !== undefined,
  });
}
