/** The dashboard's adapter: the same calls in the app and in a browser. */
import { expect } from 'chai';
import type { ShellBridge } from '../../../main/ipc/contract.ts';
import { desktopOf } from '../../../renderer/api/desktop.ts';

describe('the dashboard’s way to the app around it', () => {
  it('does in a browser what a browser can', async () => {
    const desktop = desktopOf(undefined);
    expect(desktop.isDesktop).to.equal(false);
    expect(await desktop.clientOptions()).to.deep.equal({});
    expect([await desktop.preferences(), await desktop.changePreferences({})]).to.deep.equal([null, null]);
    expect([await desktop.openLogs(), await desktop.restartGateway()]).to.deep.equal([false, false]);
    desktop.onScreenAsked(() => expect.fail())();
  });

  it('waits in the app for the address of the WebSocket, and keeps to the limits of the contract', async () => {
    let tell: Parameters<ShellBridge['onShellStateChanged']>[0] = () => {};
    const asked: unknown[] = [];
    const state = {
      gateway: 'STARTING',
      problem: null,
      elsewhere: null,
      realtimeUrl: null,
      version: '0.1.0',
    } as const;
    const bridge: ShellBridge = {
      shellState: async () => state,
      readPreferences: async () => ({ autostart: false, onClose: 'ask' }),
      writePreferences: async ({ autostart = false, onClose = 'ask' }) => ({ autostart, onClose }),
      async notify(news) {
        asked.push(news);
        return true;
      },
      openLink: async () => true,
      openLogs: async () => true,
      restartGateway: async () => true,
      onShellStateChanged(listener) {
        tell = listener;
        return () => undefined;
      },
      onScreenAsked: () => () => undefined,
    };
    const desktop = desktopOf(bridge);
    const options = desktop.clientOptions();
    tell({ ...state, gateway: 'READY', realtimeUrl: 'ws://127.0.0.1:7391/ws' });
    expect(await options).to.deep.equal({ realtime: { url: 'ws://127.0.0.1:7391/ws', ticket: true } });
    await desktop.notify({ title: 'x'.repeat(200), body: 'y'.repeat(500), path: null });
    expect(asked).to.deep.equal([{ title: 'x'.repeat(120), body: 'y'.repeat(400), path: null }]);
    expect(await desktop.changePreferences({ onClose: 'tray' })).to.include({ onClose: 'tray' });
  });
});
