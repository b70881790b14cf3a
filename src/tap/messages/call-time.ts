export const UNTIMED = -1;

/** When a call began and ended, on the clock of the platform. */
export interface CallTime {
  from: number;
  to: number;
}

export const NOT_TIMED: CallTime = { from: UNTIMED, to: UNTIMED };
