import type { FixtureFromShape, FixtureFromTree } from './fixture-module.ts';

const text =
  'export default () => ({ rows: Array.from({ length: 100 }, (_, i) => ({ id: i, name: `name ${i}` })) });\n';

export const fixtureFromShape: FixtureFromShape = () => ({ text, differences: [] });
export const fixtureFromTree: FixtureFromTree = () => ({ text, differences: [] });
