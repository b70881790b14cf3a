import type { Report } from '../../../src/model/documents/report.ts';
import { advice, estimate, payload, report, run, trial } from '../../make.ts';

/** Keys as no formatter expects them. */
const MODULE = `// clone-prof codec 0.1.0, fixtures/orders.json: 0.31 of the time (0.3-0.32), node 24.21.0, worker.
export type Payload = { orders: { id: number; '\`\`\`': string; '</script></details>': string }[] };
export type Message = (Omit<Payload, 'orders'> & { orders: unknown[] }) | { asIs: Payload };

export function toMessage(payload: Payload, onMiss?: (reason: unknown) => void): Message {
  try {
    const cells: unknown[] = [];
    for (const order of payload.orders) cells.push(order.id, order['\`\`\`'], order['</script></details>']);
    return { ...payload, orders: cells };
  } catch (reason) {
    onMiss?.(reason);
    return { asIs: payload };
  }
}
`;

/** A codec that is too long to be shown: its calls, what it assumes, and the module. */
export const codec: Report = report(
  payload('orders', [
    run('node@24.21.0', {
      trials: [trial('columns', 0.31, { path: '$.orders' })],
      advice: advice('apply', {
        remedy: 'columns',
        path: '$.orders',
        gain: estimate(0.31),
        code: '// sender\nworker.postMessage(toMessage(payload));\n\n// receiver\nconst payload = fromMessage(message);\n',
        assumes: [
          { path: '$.orders[*]', what: 'an object with the keys id, ```, </script></details>' },
          { path: '$.orders[*].id', what: 'integer of 32 bits' },
        ],
        module: MODULE,
      }),
    }),
  ]),
);
