/** The manual page in roff, made of the command table. */
import type { DescribedCommand } from './command.ts';

/** @param version of the product */
export function manualPage(commands: readonly DescribedCommand[], version: string): string {
  return [
    `.TH TANDEM 1 "" "Tandem ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'tandem \\- local gateway for pair and basket trading',
    '.SH SYNOPSIS',
    '.B tandem',
    '.I command',
    '.RI [ flags ]',
    '.SH DESCRIPTION',
    ...lines('Tandem opens long and short legs on any connected venue in one call.'),
    ...lines(
      '`tandem start` runs the gateway; every other command talks to a running one. It is found through the data folder, or named by --url or --port.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(({ name, summary, command }) => [
      `.SS "tandem ${roff(name)}"`,
      ...lines(`${summary}.`),
      '.PP',
      '.B tandem',
      roff(command.usage),
      ...command.about.flatMap((line) => ['.PP', ...lines(line)]),
      ...command.flags
        .filter(({ hidden }) => hidden !== true)
        .flatMap(({ name: flag, value, help }) => [
          '.TP',
          `.BR ${roff(flag)}${value === undefined ? '' : ` " ${roff(value).replaceAll('"', '\\(dq')}"`}`,
          ...lines(help),
        ]),
    ]),
    '.SH EXIT STATUS',
    ...[
      ['0', 'Done.'],
      ['1', 'It failed.'],
      ['2', 'It was asked wrongly.'],
    ].flatMap(([code, text]) => ['.TP', `.B ${code}`, `${text}`]),
    '.PP',
    ...lines(
      'A failure is one line on standard error; with --json there is also an object on standard output, with message, exitCode and, where the gateway refused, status and errorCode.',
    ),
    '.SH ENVIRONMENT',
    ...[
      ['TANDEM_URL', 'Address of the gateway.'],
      ['TANDEM_DATA_DIR', 'The data folder.'],
      ['TANDEM_API_KEY', 'The key, instead of the one that `tandem keys create --save` kept.'],
      ['TANDEM_EMAIL, TANDEM_PASSWORD', 'For the commands that sign in.'],
    ].flatMap(([name, text]) => ['.TP', `.B ${roff(name ?? '')}`, ...lines(text ?? '')]),
  ].join('\n');
}

/** One line of text; a point or an apostrophe at its beginning would be a request. */
function lines(text: string): string[] {
  return [roff(text)];
}

function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(['.])/, '\\&$1')
    .replaceAll("'", '\\(aq')
    .replaceAll('…', '\\&...')
    .replaceAll('–', '\\(en')
    .replaceAll('±', '\\(+-')
    .replaceAll('÷', '\\(di')
    .replaceAll('−', '\\(mi');
}
