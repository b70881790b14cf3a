/** Counts bytes of recorded messages. */

import { processTypes } from '../../../engines/probe/process.ts';
import { giveTypes } from '../../../engines/probe/type-detection.ts';
import type { ByteRequest } from '../../../model/recording/recording.ts';
import { answerFile } from '../../link/process-link.ts';
import { messageBytes } from '../../sizes/message-bytes.ts';

giveTypes(processTypes);

// null stands for a message that cannot be made here.
await answerFile((request) => messageBytes(request as ByteRequest).catch(() => null));
