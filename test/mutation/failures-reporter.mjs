// A reporter of node:test: a line for each test that failed by itself, not because of a test inside it.
export default async function* failures(source) {
  for await (const { type, data } of source)
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed')
      yield `failed: ${data.name.replaceAll('\n', ' ')}\n`;
}
