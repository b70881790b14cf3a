/**
 * Text below `## <version> - <date>`, whose links to files lead to `files`.
 *
 * @throws Error if the version has no dated section, or an empty one
 */
export function releaseNotes(changelog, version, files) {
  const sections = changelog.split(/^## /m).slice(1);
  const heading = new RegExp(`^${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}\\n`);
  const notes = sections
    .find((section) => heading.test(section))
    ?.replace(heading, '')
    .trim();
  if (!notes) throw new Error(`CHANGELOG.md has no section "## ${version} - <date>" with text`);
  return notes.replace(/\]\((?![a-z]+:)/g, `](${files}`);
}
