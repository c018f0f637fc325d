/** The whole app on a gateway that is a process of its own: killed, kept out, configured wrongly. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { GatewayLife } from '../../../main/gateway-host/gateway-life.ts';
import type { ShellState } from '../../../main/ipc/contract.ts';
import { type DesktopShell, openDesktopShell } from '../../support/desktop-shell.ts';
import { type ForkedGateways, forkedGateways } from '../../support/forked-gateway.ts';
import { buildGateway } from '../../support/gateway-process.ts';
import type { Json } from '../../support/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { PAIR, usd } from '../../support/trader.ts';
import { untilSettled } from '../../support/until.ts';

const USER = { email: 'ada@example.test', password: 'correct horse battery' };
/** The first pause before a gateway is started again is not longer. */
const RETRY_MS = 500;

describe('the desktop app and its gateway', () => {
  let desk: DesktopShell;
  let gateways: ForkedGateways;
  before(buildGateway);
  afterEach(async () => {
    await desk.shell?.host.stop();
    gateways.killAll();
    await desk.close();
  });

  async function open(dataDir: string, flags: readonly string[] = []): Promise<void> {
    gateways = forkedGateways(dataDir, flags);
    desk = await openDesktopShell({ startChild: gateways.start });
  }
  async function ask(...given: Parameters<DesktopShell['ask']>): Promise<Json> {
    const answer = await desk.ask(...given);
    return { status: answer.status, json: await answer.json() };
  }
  const state = async () => (await desk.invoke('shellState')) as ShellState;
  const host = () => {
    if (desk.shell === null) throw new Error('there is no shell');
    return desk.shell.host;
  };
  /** Until the host says so: its process takes its time. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds())
      await new Promise<void>((resolve) => {
        const off = host().onChange(() => {
          off();
          resolve();
        });
      });
  }
  const lives = (life: GatewayLife) => until(() => host().life === life);
  /** Lets the pause before the next start pass. */
  const retries = () => desk.clock.advance(RETRY_MS);

  it('takes an order that comes while the gateway is dead once the next one has accounted for the first @long', async () => {
    await open(await temporaryFolder());
    await lives('READY');
    const user = await ask('POST', '/auth/register', USER);
    const account: string = user.json.tradeAccount.id;
    const first = await ask('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, account);
    expect(first.status).to.equal(202);
    gateways.children[0]?.kill('SIGKILL');
    await lives('RESTARTING');
    // The window stays as it is, and the person is asked nothing.
    expect([desk.electron.windows.length, desk.electron.windows[0]?.destroyed]).to.deep.equal([1, false]);
    expect((await state()).gateway).to.equal('RESTARTING');
    const legs = [usd('SOL', 'BUY', '200')];
    const asked = ask('POST', '/trade/open', { type: 'MARKET', legs }, account);
    await retries();
    const second = await asked;
    expect([second.status, gateways.children.length]).to.deep.equal([202, 2]);
    const ended = async (id: string): Promise<Json> => {
      for (;;) {
        const { execution } = (await ask('GET', `/executions/${id}`, undefined, account)).json;
        if (['COMPLETED', 'FAILED'].includes(execution.status)) return execution;
      }
    };
    // The kill came before its orders or after them; what became of it is known either way.
    await ended(first.json.execution.id);
    expect(await ended(second.json.execution.id)).to.include({ status: 'COMPLETED', error: null });
    expect(desk.electron.questions).to.deep.equal([]);
    const logs = readFileSync(join(desk.electron.parts.app.getPath('logs'), 'gateway.log'), 'utf8');
    expect(logs).to.match(/The gateway ended with a signal; it is started again in \d+ ms/);
  });

  it('says that a gateway runs already, leads to it, and goes on by itself when that one has stopped', async () => {
    const dataDir = await temporaryFolder();
    const service = forkedGateways(dataDir);
    const other = service.start();
    const url = await new Promise<string>((resolve) =>
      other.onMessage((message) => resolve((message as { url: string }).url)),
    );
    const pages = `http://tandem.localhost:${new URL(url).port}/`;
    await open(dataDir);
    await until(() => host().life === 'RESTARTING' && host().problem !== null);
    await untilSettled('its window is shown', () => desk.electron.windows[0]?.shown === true);
    const said = await state();
    expect([said.gateway, said.elsewhere, said.realtimeUrl]).to.deep.equal(['RESTARTING', pages, null]);
    expect(said.problem).to.contain(`already runs at ${url}`);
    // Only that exact address opens, no other page of it.
    expect(await desk.invoke('openLink', `${pages}positions`)).to.equal(false);
    expect(await desk.invoke('openLink', pages)).to.equal(true);
    expect(desk.electron.opened).to.deep.equal([pages]);
    // Nobody is asked anything, and the window comes to the front once, however often it tries.
    const shownBefore = desk.electron.windows[0]?.focused;
    expect(await desk.invoke('restartGateway')).to.equal(true);
    await lives('RESTARTING');
    expect(desk.electron.windows[0]?.focused).to.equal(shownBefore);
    const [child] = service.children;
    if (child === undefined) throw new Error('no process was started');
    const ended = once(child, 'exit');
    other.post({ kind: 'stop' });
    await ended;
    await retries();
    await lives('READY');
    expect((await state()).elsewhere).to.equal(null);
    expect(desk.electron.questions).to.deep.equal([]);
  });

  it('shows why it cannot start with wrong settings, also when it was started hidden @long', async () => {
    gateways = forkedGateways(await temporaryFolder(), ['--log-level', 'loud']);
    desk = await openDesktopShell({ startChild: gateways.start, isHidden: true });
    await lives('FAILED');
    await untilSettled('its window is shown', () => desk.electron.windows[0]?.shown === true);
    const said = await state();
    expect([said.gateway, said.elsewhere]).to.deep.equal(['FAILED', null]);
    expect(said.problem).to.contain('log-level');
    expect(gateways.children.length).to.equal(1);
    // Once it was mended, the person says so.
    expect(await desk.invoke('restartGateway')).to.equal(true);
    await untilSettled('it is started again', () => gateways.children.length === 2);
  });
});
