/** Messages about wrong values in the config. They name the expected value; zod's own messages would name its types. */
import { type Issue, pathText } from '../../model/schema.ts';

/** Sentences about the issues of a config: one sentence per place, about the first issue there. */
export function issueTexts(issues: readonly Issue[]): string[] {
  const byPlace = new Map(issues.toReversed().map((issue) => [settingText(issue.path), issueText(issue)]));
  return [...byPlace.values()].reverse();
}

/** `payloads[0].limits.maxBytes: expected a size with its unit, ...; got 64` */
function issueText(issue: Issue): string {
  const deeper = deepestOf(issue);
  const place = settingText(deeper.path);
  const got = deeper.code === 'unrecognized_keys' ? '' : `; got ${shownValue(deeper.input)}`;
  return `${place === '' ? '' : `${place}: `}${deeper.message}${got}`;
}

/** Innermost issue. A payload is a text or an object: an issue within the object says more than "it is not a text". */
function deepestOf(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || typeof issue.input !== 'object' || issue.input === null) return issue;
  if (Array.isArray(issue.input)) return issue;
  const inner = issue.errors.flat().find(({ code, path }) => code === 'unrecognized_keys' || path.length > 0);
  return inner ? deepestOf({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}

const settingText = (path: readonly PropertyKey[]): string => pathText(path).replace(/^\./, '');

const SHOWN_VALUE = 60;

function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_VALUE ? `${text.slice(0, SHOWN_VALUE)}…` : text;
}
