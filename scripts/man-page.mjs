// The manual page, out of the command table: plain roff of the man macros, which every man(1) reads.

/** Text that roff shows as it is: no escape, no request, and hyphens that can be searched for and copied. */
const roff = (text) =>
  text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const bold = (text) => `\\fB${roff(text)}\\fR`;

const section = (title, ...lines) => [`.SH ${title}`, ...lines];

const item = (head, text) => ['.TP', head, roff(text)];

/** "-r, --runtime <spec...>" with what the reader types in bold. */
const flagsOf = (flags) =>
  flags.replace(/--?[\w-]+|[^-]+/g, (part) => (part.startsWith('-') ? bold(part) : roff(part)));

function commandLines({ name, help, argument, options, example }) {
  return [
    `.SS ${roff(`${name} ${argument.isCommand ? '-- ' : ''}${argument.form}`)}`,
    roff(`${help[0].toUpperCase()}${help.slice(1)}.`),
    ...item(roff(argument.form), argument.help),
    ...Object.values(options).flatMap(({ flags, help: about, choices, preset }) => {
      const more = [choices && `one of ${choices.join(', ')}`, preset && `default: ${preset}`].filter(
        Boolean,
      );
      return item(flagsOf(flags), more.length > 0 ? `${about} (${more.join('; ')})` : about);
    }),
    '.PP',
    'Example:',
    '.PP',
    '.nf',
    `.RS 4`,
    bold(example),
    '.RE',
    '.fi',
  ];
}

/** @param commands of src/cli/options/all.ts */
export function manPage(commands, { version, homepage }) {
  const exits = [
    ['0', 'ok'],
    ['1', 'the gate failed, or a rule does not hold'],
    ['2', 'usage: unknown option, unreadable or malformed input'],
    ['3', 'something could not be measured, decided or tried; the rest is still reported'],
    ['130', 'interrupted'],
  ];
  const lines = [
    `.TH CLONE\\-PROF 1 "" "clone\\-prof ${version}" "User Commands"`,
    ...section('NAME', 'clone\\-prof \\- the profiler for postMessage payloads'),
    ...section('SYNOPSIS', `${bold('clone-prof')} \\fIcommand\\fR [\\fIoptions\\fR] [\\fIargument\\fR ...]`),
    ...section('COMMANDS', ...commands.flatMap(commandLines)),
    ...section('EXIT STATUS', ...exits.flatMap(([code, text]) => item(bold(code), text))),
    '.PP',
    `${bold('clone-prof record')} ends with the exit status of the program.`,
    ...section(
      'ENVIRONMENT',
      ...item(
        `${bold('NO_COLOR')}, ${bold('FORCE_COLOR')}`,
        'without and with colours, whatever the terminal is',
      ),
      ...item(bold('XDG_CACHE_HOME'), 'where fetched runtimes are kept'),
    ),
    ...section('SEE ALSO', roff(homepage)),
  ];
  return `${lines.join('\n')}\n`;
}
