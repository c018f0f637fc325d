/** `tandem connect`: what each client is told, and what becomes of its file. */
import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { tandem } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const URL = ['--url', 'http://127.0.0.1:7391'];

describe('tandem connect', () => {
  let homedir = '';
  beforeEach(async () => {
    homedir = await temporaryFolder();
  });
  const connect = (...argv: readonly string[]) => tandem(['connect', ...argv], { homedir });

  it('shows what the client itself has to be told', async () => {
    const shown = async (client: string) => (await connect(client, ...URL)).out.split('\n');
    expect(await shown('claude-code')).to.deep.equal([
      'claude mcp add --transport http tandem http://127.0.0.1:7391/mcp',
      'claude mcp login tandem',
    ]);
    expect((await shown('codex'))[0]).to.equal('codex mcp add tandem --url http://127.0.0.1:7391/mcp');
    expect((await shown('gemini'))[0]).to.equal(
      'gemini mcp add --transport http tandem http://127.0.0.1:7391/mcp',
    );
    expect(JSON.parse((await shown('vscode')).join('\n'))).to.deep.equal({
      servers: { tandem: { type: 'http', url: 'http://127.0.0.1:7391/mcp' } },
    });
  });

  for (const [client, name] of [
    ['claude-desktop', 'Claude Desktop'],
    ['cursor', 'Cursor'],
  ] as const)
    it(`gives ${client} the bridge, and asks for no gateway that runs`, async () => {
      const { out, code } = await connect(client, '--data-dir', homedir);
      expect(code).to.equal(0);
      const { command, args } = JSON.parse(out).mcpServers.tandem;
      expect(command).to.equal(process.execPath);
      expect(args[0]).to.match(/build\/tandem\.cjs$/);
      expect(args.slice(1)).to.deep.equal(['mcp', '--name', name, '--data-dir', homedir]);
      const { file, lines } = JSON.parse((await connect(client, '--json')).out);
      expect(file).to.include(homedir);
      expect(JSON.parse(lines.join('\n')).mcpServers.tandem.args).to.not.include('--data-dir');
    });

  it('writes what it has shown into the file of Cursor and leaves the rest as it is', async () => {
    const path = join(homedir, '.cursor', 'mcp.json');
    await mkdir(join(homedir, '.cursor'));
    const other = { command: 'x', args: ['ä', 1.5], env: { A: 'b' } };
    await writeFile(path, `${JSON.stringify({ first: 1, mcpServers: { other }, last: [] }, null, 4)}\n`);
    await chmod(path, 0o640);
    const end = await connect('cursor', '--write');
    expect(end.code, end.err).to.equal(0);
    expect(end.out).to.include('+ ').and.not.include('- ');
    const text = await readFile(path, 'utf8');
    const written = JSON.parse(text);
    expect(Object.keys(written)).to.deep.equal(['first', 'mcpServers', 'last']);
    expect(written.mcpServers.other).to.deep.equal(other);
    expect(written.mcpServers.tandem.args).to.include('mcp');
    expect(text).to.match(/\n {4}"mcpServers"/);
    expect((await stat(path)).mode & 0o777).to.equal(0o640);
    const again = await connect('cursor', '--write');
    expect([again.code, again.out]).to.deep.equal([0, '']);
    expect(again.err).to.include('has it already');
    expect(await readFile(path, 'utf8')).to.equal(text);
    const other2 = await connect('cursor', '--write', '--port', '7400');
    expect(other2.out).to.include('- ').and.include('+ ').and.include('7400');
  });

  it('makes the file where there is none, through a link where there is one, and not where nothing is installed', async () => {
    const folder = join(homedir, '.config', 'Claude');
    const path = join(folder, 'claude_desktop_config.json');
    const missing = await connect('claude-desktop', '--write');
    expect([missing.code, missing.err.includes('is not there')]).to.deep.equal([1, true]);
    await mkdir(folder, { recursive: true });
    expect((await connect('claude-desktop', '--write')).code).to.equal(0);
    expect(JSON.parse(await readFile(path, 'utf8')).mcpServers.tandem.args).to.include('Claude Desktop');

    const cursor = join(homedir, '.cursor');
    await mkdir(cursor);
    const real = join(homedir, 'dotfile.json');
    await writeFile(real, '{"theme":"dark"}');
    await symlink(real, join(cursor, 'mcp.json'));
    expect((await connect('cursor', '--write')).code).to.equal(0);
    expect((await lstat(join(cursor, 'mcp.json'))).isSymbolicLink()).to.equal(true);
    expect(JSON.parse(await readFile(real, 'utf8'))).to.include({ theme: 'dark' });
  });

  it('changes nothing that it does not understand', async () => {
    const path = join(homedir, '.cursor', 'mcp.json');
    await mkdir(join(homedir, '.cursor'));
    for (const text of ['{ // mine\n}', '[]', '{"mcpServers": []}', 'null']) {
      await writeFile(path, text);
      const end = await connect('cursor', '--write');
      expect([end.code, end.err.includes('is left as it is')], text).to.deep.equal([1, true]);
      expect(await readFile(path, 'utf8')).to.equal(text);
    }
    const own = await connect('codex', '--write', ...URL);
    expect([own.code, own.err.includes('a command of its own')]).to.deep.equal([2, true]);
  });
});
