/** The mark in the tray: the word, the sign and the picture of what the gateway's accounts are at the moment. */
import { basename } from 'node:path';
import { expect } from 'chai';
import { showMenus } from '../../../main/desktop/show-menus.ts';
import type { GatewayLife } from '../../../main/gateway-host/gateway-life.ts';
import { settled } from '../../support/outstanding.ts';
import { recordingElectron } from '../../support/recording-electron.ts';

const ACTIONS = {
  show: () => undefined,
  open: () => undefined,
  approvals: () => undefined,
  restartGateway: () => undefined,
  openLogs: () => undefined,
  update: () => undefined,
  quit: () => undefined,
};

describe('the tray', () => {
  /** A tray over a gateway that answers `health` with what `says` holds; `again` lets its interval pass. */
  function tray(isMac: boolean) {
    const electron = recordingElectron('/nowhere');
    const host: { life: GatewayLife } = { life: 'READY' };
    const gateway: { says: unknown; paused: boolean | null } = {
      says: { status: 'ok', mode: 'PAPER', money: ['PAPER'] },
      paused: null,
    };
    const timers: (() => void)[] = [];
    showMenus({
      electron: electron.parts,
      icon: (name) => `/icons/${name}`,
      isMac,
      host,
      ask: async ({ url }) =>
        url.endsWith('/health')
          ? Response.json(gateway.says)
          : gateway.paused === null
            ? new Response('', { status: 401 })
            : Response.json({ paused: gateway.paused }),
      actions: ACTIONS,
      offer: () => null,
      after(_delayMs, run) {
        timers.push(run);
        return () => undefined;
      },
    });
    const again = async () => {
      for (const run of timers.splice(0)) run();
      await settled();
      const { icon, title, text, menu } = electron.tray;
      return { icon: basename(icon), title, text, label: menu[0]?.label };
    };
    return { host, gateway, again };
  }

  it('says LIVE as soon as an account trades real money, whatever else there is, and no longer when none does', async () => {
    const { gateway, again } = tray(false);
    const text = (marks: string) => `Tandem: running, ${marks}`;
    for (const [money, icon, marks] of [
      [['PAPER'], 'tray.png', 'PAPER'],
      [['TESTNET', 'PAPER'], 'tray-testnet.png', '◇ TESTNET + PAPER'],
      [['LIVE', 'TESTNET', 'PAPER'], 'tray-live.png', '◆ LIVE + ◇ TESTNET + PAPER'],
      [['LIVE'], 'tray-live.png', '◆ LIVE'],
      [['PAPER'], 'tray.png', 'PAPER'],
    ] as const) {
      gateway.says = { status: 'ok', mode: money.length > 1 ? 'MIXED' : money[0], money };
      expect(await again()).to.deep.equal({ icon, title: '', text: text(marks), label: text(marks) });
    }
    gateway.says = { status: 'ok', mode: 'LIVE', money: ['LIVE'] };
    gateway.paused = true;
    expect((await again()).text).to.equal('Tandem: running, ◆ LIVE, paused');
  });

  it('has the word beside its picture where pictures have no colour', async () => {
    const { gateway, again } = tray(true);
    expect(await again()).to.include({ icon: 'trayTemplate.png', title: '' });
    gateway.says = { status: 'ok', mode: 'MIXED', money: ['LIVE', 'PAPER'] };
    expect(await again()).to.include({ icon: 'trayTemplate.png', title: '◆ LIVE' });
    gateway.says = { status: 'ok', mode: 'TESTNET', money: ['TESTNET'] };
    expect(await again()).to.include({ icon: 'trayTemplate.png', title: '◇ TESTNET' });
  });

  it('says nothing of accounts while no gateway says it', async () => {
    const { host, gateway, again } = tray(false);
    gateway.says = { status: 'ok' };
    expect(await again()).to.include({ icon: 'tray.png', text: 'Tandem: running' });
    gateway.says = { status: 'ok', mode: 'LIVE', money: ['LIVE'] };
    host.life = 'RESTARTING';
    expect(await again()).to.include({ icon: 'tray.png', text: 'Tandem: restarting' });
  });
});
