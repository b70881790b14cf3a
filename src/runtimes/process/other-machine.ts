import type { Environment } from './kind.ts';

/** What CI services set (github.com/watson/ci-info). */
const OF_CI =
  /^(CI|CONTINUOUS_INTEGRATION|BUILD_(ID|NUMBER)|RUN_ID|NETLIFY|VERCEL|TF_BUILD|(CI|GITHUB|GITLAB|RUNNER|AGENT|TRAVIS|CIRCLE|CIRCLECI|CIRRUS|JENKINS|BUILDKITE|APPVEYOR|TEAMCITY|BITBUCKET|CODEBUILD|DRONE|SEMAPHORE)(_.*)?)$/;

/** The environment on a machine of a developer, for CI; the other way round elsewhere. */
export function otherMachine(env: Environment): Environment {
  const own = Object.entries(env).filter(([name]) => !OF_CI.test(name));
  const isCi = own.length < Object.keys(env).length;
  return isCi ? Object.fromEntries(own) : { ...env, CI: 'true', GITHUB_ACTIONS: 'true' };
}
