import type { Look } from '../../model/look.ts';
import type { SweepReport } from '../../model/sweep.ts';
export const terminalSweep = (report: SweepReport, _look: Look): string => JSON.stringify(report);
