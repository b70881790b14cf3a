// Checks imports against the plan in `.dependency-cruiser.mjs`, for `npm run check`: those of files, then those of folders.
// One process does both: to load the tool takes a second.
import { cruise } from 'dependency-cruiser';
import borders, { folders } from '../.dependency-cruiser.mjs';

for (const ruleSet of [borders, folders]) {
  const options = { ...ruleSet.options, ruleSet, validate: true, outputType: 'err' };
  const { output, exitCode } = await cruise(['src'], options);
  if (exitCode === 0) continue;
  console.error(output);
  process.exitCode = 1;
}
