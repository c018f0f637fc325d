/** The app among the others of a desktop: menus and their shortcuts, tray, window, logs, sign-in, what is asked once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { MenuItem } from '../../../main/electron-parts.ts';
import { channelOf } from '../../../main/ipc/contract.ts';
import {
  type DesktopShell,
  eventually,
  openDesktopShell,
  talkingChild,
} from '../../support/desktop-shell.ts';

const PLACE = { x: 100, y: 50, width: 1_200, height: 800, isMaximized: true };

describe('the app on the desktop', () => {
  let desk: DesktopShell;
  afterEach(() => desk.close());

  const asked = () =>
    desk.window.webContents.sent.flatMap(([channel, path]) =>
      channel === channelOf('screenAsked') ? [path] : [],
    );
  const flat = (items: readonly MenuItem[]): MenuItem[] =>
    items.flatMap((item) => [item, ...flat(Array.isArray(item.submenu) ? item.submenu : [])]);
  const entry = (label: string) => flat(desk.electron.applicationMenu).find((item) => item.label === label);

  it('has a menu with every screen and its shortcut, and what edits text', async () => {
    desk = await openDesktopShell();
    const items = flat(desk.electron.applicationMenu);
    expect(
      items.flatMap(({ label, accelerator }) =>
        accelerator === undefined ? [] : [`${label} ${accelerator}`],
      ),
    ).to.deep.equal([
      'Settings… CmdOrCtrl+,',
      'Quit Tandem CmdOrCtrl+Q',
      'Trade CmdOrCtrl+1',
      'Positions CmdOrCtrl+2',
      'Orders CmdOrCtrl+3',
      'History CmdOrCtrl+4',
      'Portfolio CmdOrCtrl+5',
      'Markets CmdOrCtrl+6',
      'Notifications CmdOrCtrl+7',
      'Agents CmdOrCtrl+8',
      'Approvals CmdOrCtrl+9',
    ]);
    expect(items.flatMap(({ role }) => role ?? [])).to.deep.equal([
      'undo',
      'redo',
      'cut',
      'copy',
      'paste',
      'selectAll',
      'minimize',
      'togglefullscreen',
    ]);
    for (const label of ['Trade', 'Agents', 'Settings…']) entry(label)?.click?.();
    expect(asked()).to.deep.equal(['/trade', '/agents', '/settings']);
    entry('Restart gateway')?.click?.();
    expect(desk.told).to.deep.equal([{ kind: 'stop' }]);
  });

  it('opens the folder of its logs from the menu and for its page', async () => {
    desk = await openDesktopShell();
    const logs = desk.electron.parts.app.getPath('logs');
    entry('Open logs folder')?.click?.();
    expect(await desk.invoke('openLogs')).to.equal(true);
    expect(desk.electron.opened).to.deep.equal([logs, logs]);
  });

  it('says in the tray what the gateway does, and stops it from there', async () => {
    desk = await openDesktopShell();
    await eventually(() => desk.electron.tray.text === 'Tandem: running, PAPER');
    const { menu } = desk.electron.tray;
    expect(menu.map(({ label, type }) => label ?? type)).to.deep.equal([
      'Tandem: running, PAPER',
      'separator',
      'Open Tandem',
      'Pause new orders',
      'separator',
      'Stop Tandem',
    ]);
    desk.window.shown = false;
    menu.find(({ label }) => label === 'Open Tandem')?.click?.();
    expect(desk.window.shown).to.equal(true);
    menu.find(({ label }) => label === 'Stop Tandem')?.click?.();
    await eventually(() => desk.electron.exits.length === 1);
    expect(desk.told.at(-1)).to.deep.equal({ kind: 'stop' });
    expect(desk.electron.tray.text).to.equal('Tandem: stopped');
  });

  it('opens where it was, and elsewhere when that screen is gone', async () => {
    const kept = async (screens: DesktopShell['electron']['screens']) => {
      desk = await openDesktopShell(
        {},
        // Written before the app looks.
        (electron) => {
          electron.screens = screens;
        },
        {
          'desktop.json': JSON.stringify({
            preferences: { autostart: false, onClose: 'ask' },
            window: PLACE,
          }),
        },
      );
      const { x, y, width, height } = desk.window.options;
      return { x, y, width, height };
    };
    const { isMaximized: _, ...place } = PLACE;
    expect(await kept([{ x: 0, y: 0, width: 1_920, height: 1_040 }])).to.deep.equal(place);
    expect(desk.window.maximized).to.equal(true);
    await desk.close();
    expect(await kept([{ x: 3_000, y: 0, width: 1_000, height: 700 }])).to.deep.equal({
      x: 3_000,
      y: 0,
      width: 1_000,
      height: 700,
    });
    expect([desk.window.options.minWidth, desk.window.options.minHeight]).to.deep.equal([960, 640]);
  });

  it('asks again what closing means after a Cancel, and quits when that was the answer', async () => {
    desk = await openDesktopShell();
    const { window } = desk;
    await eventually(() => window.shown);
    desk.electron.answer = 2;
    window.close();
    await eventually(() => desk.electron.questions.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect([window.shown, window.destroyed, desk.electron.exits]).to.deep.equal([true, false, []]);
    desk.electron.answer = 1;
    window.close();
    await eventually(() => desk.electron.exits.length === 1);
    expect(desk.electron.questions.length).to.equal(2);
  });

  it('stays in the tray when it was started with the session, loading what tells of fills', async () => {
    desk = await openDesktopShell({ isHidden: true });
    expect([desk.window.loaded, desk.window.shown]).to.deep.equal([['app://tandem/app/'], false]);
    desk.electron.app.emit('activate');
    expect(desk.window.shown).to.equal(true);
  });

  it('is started at sign-in by the system’s own way where there is one, off at first', async () => {
    for (const platform of ['darwin', 'win32'] as const) {
      desk = await openDesktopShell({ platform });
      expect(desk.electron.loginItems).to.deep.equal([]);
      await desk.invoke('writePreferences', { autostart: true });
      await desk.invoke('writePreferences', { autostart: false });
      expect(desk.electron.loginItems).to.deep.equal([
        { openAtLogin: true, args: ['--hidden'] },
        { openAtLogin: false, args: ['--hidden'] },
      ]);
      await desk.close();
    }
  });

  it('takes tandem:// links from the system only where it is installed', async () => {
    desk = await openDesktopShell();
    expect(desk.electron.calls).to.include('setAsDefaultProtocolClient tandem');
    await desk.close();
    desk = await openDesktopShell({}, (electron) => {
      Reflect.set(electron.parts.app, 'isPackaged', false);
    });
    expect(desk.electron.calls.filter((call) => call.startsWith('setAs'))).to.deep.equal([]);
    expect(desk.window.options.webPreferences.devTools).to.equal(true);
  });

  it('offers a newer version in its menus once a feed is built in, and asks before anything', async () => {
    const timers: { delayMs: number; run: () => void }[] = [];
    const opened: string[] = [];
    desk = await openDesktopShell({
      updateFeed: 'https://updates.example/tandem',
      async openUrl(url) {
        opened.push(url);
        const { body } = new Response('version: 0.2.0\nfiles:\n');
        if (body === null) throw new Error('no body');
        return body;
      },
      after(delayMs, run) {
        timers.push({ delayMs, run });
        return () => undefined;
      },
    });
    expect(entry('Update to 0.2.0…')).to.equal(undefined);
    timers.find(({ delayMs }) => delayMs === 60_000)?.run();
    await eventually(() => entry('Update to 0.2.0…') !== undefined);
    await eventually(() => desk.electron.tray.menu.some(({ label }) => label === 'Update to 0.2.0…'));
    desk.electron.answer = 1;
    entry('Update to 0.2.0…')?.click?.();
    await eventually(() => desk.electron.questions.length === 1);
    expect(opened).to.deep.equal(['https://updates.example/tandem/latest-linux.yml']);
    expect(existsSync(join(desk.electron.parts.app.getPath('userData'), 'updates'))).to.equal(false);
    expect(desk.electron.exits).to.deep.equal([]);
  });

  it('opens no more than three agents’ requests at a time, and none with an odd name', async () => {
    const { start, say } = talkingChild();
    const ask = (uid: string) => say({ kind: 'consent', uid });
    desk = await openDesktopShell({ startChild: start });
    const before = desk.electron.windows.length;
    for (const uid of ['../positions', 'a b', '', 'one', 'two', 'two', 'three', 'four']) ask(uid);
    const made = desk.electron.windows.slice(before);
    expect(made.map(({ loaded }) => loaded[0])).to.deep.equal(
      ['one', 'two', 'three'].map((uid) => `app://tandem/consent/${uid}?here=1`),
    );
    made[0]?.destroy();
    ask('four');
    expect(desk.electron.windows.length - before).to.equal(4);
  });
});
