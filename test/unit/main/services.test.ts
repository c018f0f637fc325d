/** The files by which systemd, launchd and the Windows task scheduler keep a gateway running without a window. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { requireBuilder } from '../../support/desktop-packages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FOLDER = fileURLToPath(new URL('../../../build/service', import.meta.url));
const RUNNING = fileURLToPath(new URL('../../../docs/running.md', import.meta.url));

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
describe('running without a window', () => {
  it('as a unit that systemd takes', async function () {
    const unit = read('tandem.service');
    const lines = unit.split('\n');
    expect(lines).to.include.members([
      'ExecStart=/usr/bin/env node %h/tandem/build/tandem.cjs start',
      'Restart=on-failure',
      'RestartPreventExitStatus=2',
      'WantedBy=default.target',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      // The one place that is not read-only is where the gateway keeps everything.
      'Environment=TANDEM_DATA_DIR=%h/.local/share/tandem',
      'ReadWritePaths=%h/.local/share/tandem',
      'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
      'LimitCORE=0',
    ]);
    expect(unit).to.match(/^MemoryMax=\d+G$/m);
    // Ten seconds of draining, and some to spare.
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).to.be.at.least(20);
    const file = join(await temporaryFolder(), 'tandem.service');
    copyFileSync(join(FOLDER, 'tandem.service'), file);
    const { error, status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' },
    });
    if (error !== undefined) {
      console.warn('    *** systemd HAS NOT SEEN THE UNIT: there is no systemd-analyze here ***');
      return this.skip();
    }
    expect([
      status,
      `${stdout}${stderr}`.split('\n').filter((line) => line.includes('tandem')),
    ]).to.deep.equal([0, []]);
  });

  it('as an agent of launchd', function () {
    const agent = requireBuilder(this).library('plist').parse(read('org.tandem.gateway.plist'));
    expect(agent.Label).to.equal('org.tandem.gateway');
    expect(agent.ProgramArguments).to.deep.equal([
      '/usr/local/bin/node',
      '/Users/you/tandem/build/tandem.cjs',
      'start',
    ]);
    expect(agent).to.deep.include({ RunAtLoad: true, KeepAlive: { SuccessfulExit: false }, Umask: 0o077 });
    expect(agent.ExitTimeOut).to.be.at.least(20);
  });

  it('as a task of Windows', function () {
    const { DOMParser } = requireBuilder(this).plist('@xmldom/xmldom');
    const task = new DOMParser({
      onError(level: string, message: string) {
        throw new Error(`${level}: ${message}`);
      },
      errorHandler: (level: string, message: string) => {
        throw new Error(`${level}: ${message}`);
      },
    }).parseFromString(read('tandem-task.xml'), 'text/xml');
    const text = (name: string): string => task.getElementsByTagName(name)[0]?.textContent ?? '';
    expect(task.documentElement.namespaceURI).to.equal(
      'http://schemas.microsoft.com/windows/2004/02/mit/task',
    );
    expect([text('Command'), text('Arguments')]).to.deep.equal(['node', 'build\\tandem.cjs start']);
    // For ever, on battery too, and as nobody more than the user.
    expect([text('ExecutionTimeLimit'), text('StopIfGoingOnBatteries'), text('RunLevel')]).to.deep.equal([
      'PT0S',
      'false',
      'LeastPrivilege',
    ]);
  });

  it('as docs/running.md says, from these files', () => {
    const page = readFileSync(RUNNING, 'utf8');
    for (const name of ['tandem.service', 'org.tandem.gateway.plist', 'tandem-task.xml'])
      expect(page, name).to.match(new RegExp(`build[/\\\\]service[/\\\\]${name.replaceAll('.', '\\.')}`));
  });
});
