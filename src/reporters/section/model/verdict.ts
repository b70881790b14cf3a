/** The path that the engine takes, its cost, and whether the engine confirms it. */
import type { Verdict } from '../../../model/documents/classification.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Channel, CostClass, EngineName } from '../../../model/names.ts';
import type { Wording } from '../../../model/report/wording.ts';
import type { Statement } from './model.ts';
import { runtimeName } from './run-groups.ts';
import { code, type Sentence, type StyledText, sentence, sentenceCase } from './sentence.ts';
import { CLASS_TEXTS, CLASS_TONES, CONTRADICTED } from './texts.ts';

/** "serialized", "failed", "in-memory, contradicted by the engine" */
export function statusText({ verdict }: Run): StyledText {
  if (verdict === null) return { text: 'failed', tone: 'bad', marked: true };
  if (verdict.confirmed === false)
    return { text: `${verdict.class}, ${CONTRADICTED}`, tone: 'bad', marked: true };
  return { text: verdict.class, tone: CLASS_TONES[verdict.class], marked: true };
}

/** Where the engine contradicts the verdict, the reader must not act on it. */
export function alarmSentence(run: Run): Sentence | null {
  const { verdict } = run;
  if (verdict?.confirmed !== false) return null;
  return sentence`Contradicted by the engine: the rule book is wrong about ${code(verdict.path)} on ${runtimeName(run)}. Please report it to clone-prof with the output of --format json for this payload. Do not rely on the verdict and the causes below; the measured times hold.`;
}

/** Where it is not postMessage. */
const CALLS: Partial<Record<Channel, string>> = {
  'structured-clone': 'structuredClone',
  ...{ 'ipc-json': 'process.send', 'ipc-advanced': 'process.send' },
  'electron-ipc': 'webContents.postMessage',
  'electron-bridge': 'the call',
  storage: 'v8.serialize, or v8.deserialize,',
  indexeddb: 'put, or its transaction,',
  rpc: 'the call',
  ...{ extension: 'chrome.runtime', 'extension-clone': 'chrome.runtime' },
};

const classText = (cost: CostClass, channel: Channel): string =>
  cost === 'rejected'
    ? `Cannot be cloned: ${CALLS[channel] ?? 'postMessage'} throws`
    : sentenceCase(CLASS_TEXTS[cost]);

export function verdictStatements(run: Run, words: Wording): Statement[] {
  const { verdict } = run;
  if (verdict === null) return [];
  const parts = [
    sentence`${classText(verdict.class, run.channel)}.`,
    ...(verdict.refusal === undefined ? [] : [sentence`The engine says: ${firstLine(verdict.refusal)}`]),
    ...pathSentences(verdict, words.paths[run.runtime.engine]),
    ...attainableSentences(verdict),
  ];
  const said = parts.flatMap((part, index) => (index === 0 ? part : [' ', ...part]));
  return [{ label: 'verdict', sentences: [said] }];
}

const MAX_REFUSAL_LENGTH = 100;

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > MAX_REFUSAL_LENGTH
    ? `${line.slice(0, MAX_REFUSAL_LENGTH)}….`
    : `${line.replace(/\.$/, '')}.`;
}

const CONFIRMATIONS = { true: 'confirmed by the engine', false: CONTRADICTED, null: null };

/** A rejected payload takes no path, and a refusal of the engine confirms the verdict. */
function pathSentences(
  { path, confirmed, refusal }: Verdict,
  words: Wording['paths'][EngineName],
): Sentence[] {
  const confirmation = CONFIRMATIONS[`${confirmed}`];
  if (path === 'rejected') {
    return confirmation === null || refusal !== undefined ? [] : [sentence`${sentenceCase(confirmation)}.`];
  }
  const title = words[path]?.title ?? path;
  const named = title === path ? '' : ` (${title})`;
  return [sentence`Path: ${code(path)}${named}${confirmation === null ? '' : `, ${confirmation}`}.`];
}

function attainableSentences({ aspired, path, blockers }: Verdict): Sentence[] {
  if (aspired === null || aspired === path) return [];
  return [sentence`Without the ${blockers.length === 1 ? 'cause' : 'causes'} below: ${code(aspired)}.`];
}

export function upgradeStatements({ verdict, advice, runtime }: Run): Statement[] {
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  if (upgrade === null) return [];
  const cost = verdict?.upgrade ? ` (${CLASS_TEXTS[verdict.upgrade.class]})` : '';
  const newer = `${runtime.name} ${upgrade.since} and newer`;
  return [
    { label: 'upgrade', sentences: [sentence`${newer} take the ${code(upgrade.path)} path here${cost}.`] },
  ];
}
