/** No value that is kept is nested so deeply; what reads a line may be recursive. */
export const MAX_JSON_DEPTH = 500;

/** Character by character: an expression that skips strings backtracks for each unit of them. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < json.length; i++) {
    const unit = json[i];
    if (unit === '"') isString = !isString;
    else if (isString) i += unit === '\\' ? 1 : 0;
    else if (unit === '[' || unit === '{') depth++;
    else if (unit === ']' || unit === '}') depth--;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}
