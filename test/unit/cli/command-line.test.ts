import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { COMMANDS as COMMAND_TABLE } from '../../../gateway/cli/command-table.ts';
import { nearest } from '../../../gateway/cli/nearest.ts';
import { type FlagSpec, parseFlags } from '../../../gateway/cli/parse-flags.ts';
import { startProgress } from '../../../gateway/cli/progress.ts';
import { renderFields, renderTable } from '../../../gateway/cli/table.ts';
import { acquireDataFolderLock } from '../../../gateway/system/data-folder-lock.ts';
import { tandem } from '../../support/command-line.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordingTerminal } from '../../support/recording-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileTimePasses } from '../../support/until.ts';

const COMMANDS = COMMAND_TABLE.map(({ name }) => name);

describe('command line', () => {
  it('shows every command in its help, and the version', async () => {
    const help = await tandem(['--help']);
    expect(help.code).to.equal(0);
    for (const command of COMMANDS) expect(help.out).to.contain(`\n  ${command} `);
    expect((await tandem(['--version'])).out).to.match(/^\d+\.\d+\.\d+/);
    expect((await tandem([])).code).to.equal(2);
  });

  for (const command of COMMANDS) {
    it(`explains ${command}, and refuses flags it does not have`, async () => {
      const words = command.split(' ');
      const help = await tandem([...words, '--help']);
      expect([help.code, help.err]).to.deep.equal([0, '']);
      expect(help.out).to.match(new RegExp(`^Usage: tandem ${command}`));
      expect((await tandem(['help', ...words])).out).to.equal(help.out);
      if (command === 'doctor') return;
      const wrong = await tandem([...words, '--bogus-flag']);
      expect(wrong.code).to.equal(2);
      expect(wrong.err).to.contain('unknown flag --bogus-flag');
    });
  }

  // biome-ignore format: a table is read by its columns
  const mistaken: readonly (readonly [string[], string])[] = [
    [['opne'], "unknown command 'opne' (did you mean open?)"],
    [['keys'], 'tandem keys needs one of: create, list, revoke'],
    [['keys', 'crate'], "unknown: 'crate' (did you mean create?)"],
    [['--port', '1'], 'name a command before --port'],
    [['positions', 'extra'], "unexpected argument 'extra'"],
    [['accounts', '--url', 'ftp://x'], '--url must be an address such as http://127.0.0.1:7391'],
    [['status', '--url', 'http://example.org'], 'a gateway on another machine needs https'],
    [['status', '--port', '0'], '--port must be a port number from 1 to 65535'],
  ];
  for (const [argv, message] of mistaken) {
    it(`answers '${argv.join(' ')}' in one line`, async () => {
      const end = await tandem(argv);
      expect(end.code).to.equal(2);
      expect(end.err).to.contain(message);
      expect(end.err.split('\n')).to.have.length(1);
    });
  }

  it('says how to get a key when there is none, and when the saved one is damaged', async () => {
    const dataDir = await temporaryFolder();
    const none = await tandem(['accounts', '--port', '9', '--data-dir', dataDir]);
    expect([none.code, none.err.includes('tandem keys create --save')]).to.deep.equal([1, true]);
    await writeFile(join(dataDir, 'cli.json'), '{"apiKey": 5}');
    expect((await tandem(['accounts', '--port', '9', '--data-dir', dataDir])).err).to.contain(
      'cli.json is damaged',
    );
  });

  it('never takes another gateway for that of its data folder: without one it says so', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'cli.json'), JSON.stringify({ apiKey: `tdm_${'a'.repeat(43)}` }));
    for (const words of [['status'], ['positions']]) {
      const end = await tandem([...words, '--data-dir', dataDir]);
      expect([end.code, end.err.includes(`no gateway runs on the data folder ${dataDir}`)]).to.deep.equal([
        1,
        true,
      ]);
    }
    const lock = acquireDataFolderLock(dataDir);
    const clock = createFakeClock();
    const starting = await whileTimePasses(clock, tandem(['status', '--data-dir', dataDir], { clock }));
    expect([starting.code, starting.err.includes('is still starting')]).to.deep.equal([1, true]);
    if (lock.ok) lock.value.release();
  });

  it('start refuses bad settings with 2, and a folder that is in use or a file with 1', async () => {
    const dataDir = await temporaryFolder();
    const bad = await tandem(['start', '--data-dir', dataDir, '--port', 'x', '--vault', 'y']);
    expect([bad.code, bad.err.split('\n').length]).to.deep.equal([2, 1]);
    const lock = acquireDataFolderLock(dataDir);
    const held = await tandem(['start', '--data-dir', dataDir]);
    expect([held.code, held.err.includes('another Tandem')]).to.deep.equal([1, true]);
    if (lock.ok) lock.value.release();
    await writeFile(join(dataDir, 'file'), '');
    expect((await tandem(['start', '--data-dir', join(dataDir, 'file')])).code).to.equal(1);
  });
});

describe('flags', () => {
  const specs: readonly FlagSpec[] = [
    { name: '--text', kind: 'text', value: '<x>', help: '' },
    { name: '--list', kind: 'list', help: '' },
    { name: '--on', short: '-o', kind: 'switch', help: '' },
    { name: '--secret-test', kind: 'switch', help: '', hidden: true },
  ];

  it('are read in both forms, repeated, switched off, and ended by --', () => {
    const parsed = parseFlags(
      ['a', '--text=x=y', '--list', '1', '-o', '--list=2', 'b', '--', '--text'],
      specs,
    );
    if (!parsed.ok) throw new Error(parsed.error.join());
    expect(parsed.value.texts.get('--text')).to.equal('x=y');
    expect(parsed.value.lists.get('--list')).to.deep.equal(['1', '2']);
    expect(parsed.value.switches.get('--on')).to.equal(true);
    expect(parsed.value.words).to.deep.equal(['a', 'b', '--text']);
    const off = parseFlags(['--on=false', '--text', '-1'], specs);
    expect(off.ok && [off.value.switches.get('--on'), off.value.texts.get('--text')]).to.deep.equal([
      false,
      '-1',
    ]);
  });

  it('report every problem, and never suggest hidden ones', () => {
    const parsed = parseFlags(['--txet', '5', '--secret-tset', '--text'], specs);
    expect(parsed.ok ? [] : parsed.error).to.deep.equal([
      'unknown flag --txet (did you mean --text?)',
      'unknown flag --secret-tset',
      '--text needs a value <x>',
    ]);
  });

  it('suggest only what is close', () => {
    expect(nearest('posiitons', COMMANDS)).to.equal('positions');
    expect(nearest('xyzzy', COMMANDS)).to.equal(null);
    expect(nearest('BCT', ['ETH', 'BTC'])).to.equal('BTC');
    expect(nearest('SOLL', ['SUI', 'SOL'])).to.equal('SOL');
    expect(nearest('NOPE', ['BTC', 'DOGE'])).to.equal(null);
  });
});

describe('tables', () => {
  it('align columns by what they hold and end without blanks', () => {
    const lines = renderTable<{ name: string; amount: string | null }>(
      [
        { title: 'NAME', cell: (row) => row.name },
        { title: 'AMOUNT', align: 'right', cell: (row) => row.amount },
      ],
      [
        { name: 'Bitcoin', amount: '12.5' },
        { name: 'Ä', amount: null },
        { name: 'x', amount: '1000000.25' },
      ],
    );
    expect(lines).to.deep.equal([
      'NAME         AMOUNT',
      'Bitcoin        12.5',
      'Ä                 –',
      'x        1000000.25',
    ]);
    expect(
      renderFields([
        ['a', 1],
        ['long', null],
      ]),
    ).to.deep.equal(['a     1', 'long  –']);
  });

  it('let no control character of an answer reach the terminal', () => {
    const [, line = ''] = renderTable(
      [{ title: 'A', cell: (text: string) => text }],
      ['x\u001b[2J\n\u202ey'],
    );
    expect(line).to.equal('x [2J y');
  });
});

describe('progress', () => {
  it('says nothing within a second', async () => {
    const clock = createFakeClock();
    const terminal = recordingTerminal();
    const progress = startProgress(terminal, clock, 'working');
    await clock.advance(999);
    progress.done();
    await clock.advance(10_000);
    expect(terminal.errLines).to.deep.equal([]);
  });

  it('is one plain line where nobody watches', async () => {
    const clock = createFakeClock();
    const terminal = recordingTerminal();
    const progress = startProgress(terminal, clock, 'working');
    await clock.advance(60_000);
    progress.done();
    expect(terminal.errLines).to.deep.equal(['working …']);
  });

  it('is redrawn with what goes on, and wiped, on a terminal', async () => {
    const clock = createFakeClock();
    const drawn: string[] = [];
    const terminal = {
      ...recordingTerminal(),
      interactive: true,
      redraw: (text: string) => void drawn.push(text),
    };
    const progress = startProgress(terminal, clock, 'working');
    await clock.advance(1_000);
    progress.update('still working');
    await clock.advance(1_000);
    progress.done();
    expect(drawn[0]).to.equal('working … 1 s');
    expect(drawn.at(-2)).to.equal('still working … 2 s');
    expect(drawn.at(-1)).to.equal('');
  });
});
