/** The life of the desktop app: its window, its end, its tray, links, sleep, and the requests of agents. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { channelOf } from '../../../main/ipc/contract.ts';
import { createForward } from '../../../main/pages/forward.ts';
import { createSessionKeeper, systemSeal } from '../../../main/pages/session-keeper.ts';
import { consentVisitor } from '../../support/consent-visitor.ts';
import { type DesktopShell, eventually, openDesktopShell } from '../../support/desktop-shell.ts';
import { gatewayClient } from '../../support/gateway-client.ts';
import { newPkce, oauthClient } from '../../support/oauth-client.ts';
import { recordingElectron } from '../../support/recording-electron.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const USER = { email: 'ada@example.test', password: 'correct horse battery' };

describe('the desktop app', () => {
  let desk: DesktopShell;
  afterEach(() => desk.close());

  it('runs once: a second start shows the window of the first and ends', async () => {
    desk = await openDesktopShell({}, (electron) => {
      electron.hasLock = false;
    });
    expect(desk.shell).to.equal(null);
    expect(desk.electron.calls).to.include('quit');
    expect(desk.electron.windows).to.deep.equal([]);
    await desk.close();

    desk = await openDesktopShell();
    const { window } = desk;
    window.minimized = true;
    desk.electron.app.emit('second-instance', {}, ['/opt/tandem']);
    expect([window.minimized, window.shown, window.focused]).to.deep.equal([false, true, 1]);
    expect(desk.electron.windows.length).to.equal(1);
  });

  it('follows links to a screen, also the one that it was started with', async () => {
    desk = await openDesktopShell({ argv: ['/opt/tandem', 'tandem://position/3f'] });
    const { loaded, webContents } = desk.window;
    expect(loaded).to.deep.equal(['app://tandem/app/positions/3f']);
    desk.electron.app.emit('second-instance', {}, ['/opt/tandem', 'tandem://orders']);
    desk.electron.app.emit('open-url', { preventDefault: () => undefined }, 'tandem://close/3f');
    const asked = webContents.sent.filter(([channel]) => channel === channelOf('screenAsked'));
    expect(asked).to.deep.equal([[channelOf('screenAsked'), '/orders']]);
  });

  it('asks once what closing the window means, and remembers where it was', async () => {
    desk = await openDesktopShell();
    const { window } = desk;
    await eventually(() => window.shown);
    window.bounds = { x: 10, y: 20, width: 1_100, height: 700 };
    window.close();
    await eventually(() => !window.shown);
    expect([window.destroyed, desk.electron.questions.length]).to.deep.equal([false, 1]);
    window.show();
    window.close();
    expect(desk.electron.questions.length).to.equal(1);
    expect([window.destroyed, window.shown, desk.told]).to.deep.equal([false, false, []]);
    const file = join(desk.electron.parts.app.getPath('userData'), 'desktop.json');
    await eventually(() => existsSync(file) && readFileSync(file, 'utf8').includes('"tray"'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal({
      preferences: { autostart: false, onClose: 'tray' },
      window: { x: 10, y: 20, width: 1_100, height: 700, isMaximized: false },
    });
  });

  it('warns of what would wait for nobody before it quits, then drains the gateway', async () => {
    desk = await openDesktopShell();
    desk.work = { executions: 1, orders: 2, waiting: 1 };
    let isKept = false;
    desk.electron.app.emit('before-quit', { preventDefault: () => (isKept = true) });
    await eventually(() => desk.electron.questions.length === 1);
    expect(isKept).to.equal(true);
    expect(desk.electron.questions[0]?.message).to.equal(
      'Quit although there are 1 execution still running, 2 orders working at a venue, 1 trigger or schedule waiting?',
    );
    // The answer that comes first is to keep running.
    await new Promise((resolve) => setImmediate(resolve));
    expect([desk.electron.exits, desk.shell?.host.life]).to.deep.equal([[], 'READY']);
    desk.electron.answer = 1;
    desk.electron.app.emit('before-quit', { preventDefault: () => undefined });
    await eventually(() => desk.electron.exits.length === 1);
    expect(desk.told.at(-1)).to.deep.equal({ kind: 'stop' });
    expect([desk.electron.exits, desk.shell?.host.life]).to.deep.equal([[0], 'STOPPED']);
  });

  it('quits without a question when nothing is under way', async () => {
    desk = await openDesktopShell();
    desk.electron.app.emit('before-quit', { preventDefault: () => undefined });
    await eventually(() => desk.electron.exits.length === 1);
    expect([desk.electron.questions, desk.electron.exits]).to.deep.equal([[], [0]]);
  });

  it('loads a page that died again, but not for ever, while the gateway goes on', async () => {
    desk = await openDesktopShell();
    const { webContents } = desk.window;
    webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(webContents.reloads).to.equal(0);
    desk.electron.answer = 1;
    for (let count = 0; count < 5; count += 1)
      webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(webContents.reloads).to.equal(3);
    expect(desk.electron.questions.length).to.equal(2);
    expect(desk.told).to.deep.equal([]);
  });

  it('tells the gateway that the machine was asleep', async () => {
    desk = await openDesktopShell();
    desk.electron.power.emit('resume');
    expect(desk.told).to.deep.equal([{ kind: 'woke' }]);
    desk.gateway.woke();
  });

  it('pauses and resumes new orders from the tray, for who is signed in', async () => {
    desk = await openDesktopShell();
    const item = (label: string) => desk.electron.tray.menu.find((one) => one.label === label);
    await eventually(() => desk.electron.tray.text === 'Tandem: running, PAPER');
    expect(item('Pause new orders')?.enabled).to.equal(false);
    await desk.ask('POST', '/auth/register', USER);
    desk.shell?.host.restart();
    // A change of the gateway draws the tray anew; the stand-in of the child is ready again at once.
    await eventually(() => item('Pause new orders')?.enabled === true);
    item('Pause new orders')?.click?.();
    await eventually(() => item('Resume new orders') !== undefined);
    expect(desk.electron.tray.text).to.equal('Tandem: running, PAPER, paused');
    expect(await (await desk.ask('GET', '/safety')).json()).to.include({ paused: true });
    item('Resume new orders')?.click?.();
    await eventually(() => item('Pause new orders') !== undefined);
    expect(await (await desk.ask('GET', '/safety')).json()).to.include({ paused: false });
  });

  it('shows notifications of the dashboard, whose click leads to the screen', async () => {
    desk = await openDesktopShell();
    const { window } = desk;
    const news = { title: 'Filled', body: 'BTC · ETH', path: '/positions' };
    expect(await desk.invoke('notify', news)).to.equal(true);
    desk.electron.notices[0]?.emit('click');
    expect(window.webContents.sent.at(-1)).to.deep.equal([channelOf('screenAsked'), '/positions']);
  });

  it('starts with the session of the user only when that is switched on', async () => {
    const configFolder = await temporaryFolder();
    desk = await openDesktopShell({ configFolder });
    const entry = join(configFolder, 'autostart', 'tandem.desktop');
    expect(existsSync(entry)).to.equal(false);
    await desk.invoke('writePreferences', { autostart: true });
    expect(readFileSync(entry, 'utf8')).to.contain('Exec="/opt/Tandem/tandem" --hidden');
    expect(await desk.invoke('writePreferences', { autostart: false })).to.deep.equal({
      autostart: false,
      onClose: 'ask',
    });
    expect(existsSync(entry)).to.equal(false);
  });

  it('shows an agent’s request in front of everything, and opens its answer in the browser, once', async () => {
    desk = await openDesktopShell();
    const client = gatewayClient(desk.gateway.url);
    const tab = async (path: string) => {
      const answer = await createForward()(desk.gateway.url, {
        method: 'GET',
        path,
        headers: { host: `tandem.localhost:${desk.gateway.port}`, connection: 'close' },
        body: null,
        signal: new AbortController().signal,
      });
      return { status: answer.status, text: await new Response(answer.body).text() };
    };
    await desk.ask('POST', '/auth/register', USER);
    const agent = oauthClient({ ...client, url: desk.gateway.url });
    const clientId = await agent.register();
    const link = `${desk.gateway.url}${agent.authorizePath(clientId, newPkce().challenge)}`;
    const uid = await consentVisitor(desk.gateway).open(link);

    // A picture in some page must not bring the app to the front; nor may a request that is not there.
    await tab('/consent/nothing');
    expect(desk.electron.windows.length).to.equal(1);

    const waiting = await tab(`/consent/${uid}`);
    expect([waiting.status, waiting.text.includes('waiting.js')]).to.deep.equal([200, true]);
    await tab(`/consent/${uid}`);
    const [, window] = desk.electron.windows;
    expect(desk.electron.windows.length).to.equal(2);
    expect(window?.loaded).to.deep.equal([`app://tandem/consent/${uid}?here=1`]);
    expect(window?.options.webPreferences).not.to.have.property('preload');
    const page = await desk.ask('GET', `/consent/${uid}?here=1`);
    expect(await page.text())
      .to.contain('consent.js')
      .and.not.to.contain('waiting.js');

    const login = await desk.ask('POST', `/interaction/${uid}/login`, { method: 'email', ...USER });
    expect(await login.json()).to.deep.equal({ returnTo: `app://tandem/consent/${uid}` });
    const decision = await desk.ask('POST', `/interaction/${uid}/confirm`, { scopes: ['mcp:read'] });
    const { returnTo } = (await decision.json()) as { returnTo: string };
    expect(returnTo).to.contain('code=');
    // Not from another page, and not to another address.
    expect(desk.window.webContents.navigate('will-navigate', returnTo)).to.equal(true);
    expect(window?.webContents.navigate('will-navigate', `${returnTo}0`)).to.equal(true);
    expect(desk.electron.opened).to.deep.equal([]);
    expect(window?.webContents.navigate('will-navigate', returnTo)).to.equal(true);
    expect([desk.electron.opened, window?.destroyed]).to.deep.equal([[returnTo], true]);
    expect((await client.request('GET', `/interaction/${uid}`)).status).to.equal(404);
  });

  it('tells of an order that waits; the notification and the tray open a window, and decide nothing', async () => {
    desk = await openDesktopShell();
    const client = gatewayClient(desk.gateway.url);
    const registered = await desk.ask('POST', '/auth/register', USER);
    const { tradeAccount } = (await registered.json()) as { tradeAccount: { id: string } };
    const { approval, ...rest } = smallMandate(tradeAccount.id, { maxLeverage: null });
    const mandate = { ...rest, approval: { ...approval, when: 'always', aboveUsd: null } };
    const made = await desk.ask('POST', '/api-keys', { label: 'asks', scope: 'read_write', mandate });
    const { key } = (await made.json()) as { key: string };
    const legs = [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '50' }];
    const asked = await client.request('POST', '/trade/open', {
      headers: { 'x-api-key': key, 'x-trade-account-id': tradeAccount.id },
      body: { type: 'MARKET', legs },
    });
    const { approvalId } = asked.json.details;
    await eventually(() => desk.electron.notices.length === 1);
    const [notice] = desk.electron.notices;
    expect(notice?.options).to.deep.equal({
      title: 'An order waits for you',
      body: 'An agent or a program asks for your approval. Click to look at it.',
    });
    expect(desk.electron.windows).to.have.length(1);
    const entry = () => desk.electron.tray.menu.find(({ label }) => label === '1 order waits for you…');
    await eventually(() => entry() !== undefined);
    notice?.emit('click');
    const [, window] = desk.electron.windows;
    expect(window?.loaded).to.deep.equal([`app://tandem/app/approvals/${approvalId}`]);
    entry()?.click?.();
    expect(desk.electron.windows).to.have.length(2);
    expect(window?.loaded.at(-1)).to.equal('app://tandem/app/approvals');
    const read = await desk.ask('GET', `/approvals/${approvalId}`);
    const { status, planHash } = (await read.json()) as { status: string; planHash: string };
    expect(status).to.equal('PENDING');
    const approved = await desk.ask('POST', `/approvals/${approvalId}/approve`, { planHash });
    const after = (await approved.json()) as { status: string };
    expect([approved.status, after.status]).to.deep.equal([200, 'APPROVED']);
  });

  it('keeps its session sealed between runs, or not at all', async () => {
    desk = await openDesktopShell();
    const folder = await temporaryFolder();
    const file = join(folder, 'session');
    const electron = recordingElectron(folder);
    const seal = systemSeal(electron.parts.safeStorage);
    const tokens = { accessToken: 'eyJ.x', refreshToken: 'abc.def', expiresIn: 900 };
    await createSessionKeeper(file, seal).keep(tokens);
    expect(readFileSync(file, 'utf8')).not.to.contain('abc');
    const next = createSessionKeeper(file, seal);
    expect([next.refreshToken(), next.accessToken()]).to.deep.equal(['abc.def', null]);
    next.end();
    expect(existsSync(file)).to.equal(false);
    electron.backend = 'basic_text';
    expect(systemSeal(electron.parts.safeStorage)).to.equal(null);
    electron.encrypts = false;
    expect(systemSeal(electron.parts.safeStorage)).to.equal(null);
  });
});
