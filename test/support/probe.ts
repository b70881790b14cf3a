import {
  probeFor as describedBy,
  runningProbe as givenProbe,
  giveProbe,
} from '../../src/engines/probe/probe.ts';
import { processProbe } from '../../src/engines/probe/process-probe.ts';
import { typeDetection as givenDetection } from '../../src/engines/probe/type-detection.ts';

// The probe of this process, given to the code that a test calls here.
giveProbe(processProbe());

export const typeDetection = givenDetection();

// Functions of this module: if tests are bundled together, a re-export does not load the file that gives the probe.
export const probeFor: typeof describedBy = (options) => describedBy(options);
export const runningProbe: typeof givenProbe = () => givenProbe();
