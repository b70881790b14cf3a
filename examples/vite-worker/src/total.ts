import type { Payload } from '../public/orders.json?codec';

export const totalOf = ({ orders }: Payload): number =>
  orders.reduce(
    (sum, { items }) => sum + items.reduce((part, { price, count }) => part + price * count, 0),
    0,
  );
