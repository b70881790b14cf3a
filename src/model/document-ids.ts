/** Value of the field "schema" of each kind of document. */
export const REPORT_SCHEMA = 'clone-prof/report@1';
export const SWEEP_SCHEMA = 'clone-prof/sweep@1';
export const COMPARISON_SCHEMA = 'clone-prof/comparison@1';
export const CHECK_SCHEMA = 'clone-prof/check@1';
export const BASELINE_SCHEMA = 'clone-prof/baseline@1';
export const RECORDING_SCHEMA = 'clone-prof/recording@2';
export const VERIFY_SCHEMA = 'clone-prof/verify@1';
export const RULES_SCHEMA = 'clone-prof/rules@1';
