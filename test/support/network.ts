const { CLONE_PROF_TEST_CA_CERTS: certificates, ...env } = process.env;

/** The environment of what asks a registry: with the certificates that scripts/test.mjs keeps from all others. */
export const NETWORK_ENV: NodeJS.ProcessEnv = {
  ...env,
  ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }),
};
