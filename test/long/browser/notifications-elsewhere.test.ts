/** Notifications: those that leave the page, and the words of alerts. */

import { expect } from 'chai';
import { systemClock } from '../../../gateway/system/clock.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { notificationsSuite } from '../../support/notifications-suite.ts';
import { nextId } from '../../support/store-records.ts';

describe('notifications elsewhere', function () {
  this.timeout(180_000);
  const { bot, gateway, page, goTo, row, fireTrigger } = notificationsSuite();

  itInFreshTab('leave the page by category: as a toast where the browser does not let them', async () => {
    await goTo('/notifications');
    await page.getByRole('button', { name: 'Desktop notifications' }).click();
    const panel = page.getByRole('dialog', { name: 'Desktop notifications' });
    await panel.getByRole('switch').click();
    await panel.getByText(/appear inside (it|this page)/).waitFor();
    expect(await panel.getByRole('checkbox', { name: 'Trigger executed' }).isChecked()).to.equal(true);
    await panel.getByRole('checkbox', { name: 'TWAP completed' }).click();
    await expectAccessible(page, 'what leaves the page');
    await panel.getByRole('button', { name: 'Close' }).click();

    await fireTrigger();
    // The toast, and the row that came by itself.
    await page.getByRole('status').getByText('Trigger executed').waitFor();
    await row('Trigger executed').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Desktop notifications' }).click();
    expect(await panel.getByRole('checkbox', { name: 'TWAP completed' }).isChecked()).to.equal(true);
    expect(await panel.getByRole('switch').isChecked()).to.equal(true);
  });

  itInFreshTab('of alerts say what they are of, and their level whole in a narrow window', async () => {
    const me = await gateway.request('GET', '/auth/me', {
      headers: { authorization: `Bearer ${bot.accessToken}` },
    });
    const at = systemClock.now();
    const legs = [{ id: 'BTC-PERP', symbol: 'BTC', side: 'BUY' as const }];
    const alert = { type: 'alert', alertId: nextId(at), tradeAccountId: bot.accountId, connector: 'paper' };
    const above = { level: 55.5, direction: 'MORE_THAN' as const };
    await gateway.seed({
      notifications: [
        { ...alert, legs, metric: 'btc_dominance' as const, ...above },
        { ...alert, legs, metric: 'z_score' as const, lookback: 240, ...above, level: 2.25 },
      ].map((parameters, number) => ({
        id: nextId(at + number),
        userId: me.json.id,
        category: 'ALERT_HIT' as const,
        parameters,
        isRead: false,
        createdAt: at + number,
        updatedAt: at + number,
      })),
    });
    await page.setViewportSize({ width: 900, height: 800 });
    await goTo('/notifications');
    const cell = (text: string, name: string) => row(text).locator(`[data-name="${name}"]`);
    const dominance = 'Bitcoin dominance above 55.5 %';
    await cell(dominance, 'Detail').waitFor();
    // Nothing of the legs, of which it is not.
    expect(await cell(dominance, 'About').textContent()).to.equal('Bitcoin dominance');
    const z = 'Z-score of the ratio (240 h) above 2.25';
    expect(await cell(z, 'About').textContent()).to.include('BTC');
    for (const text of [dominance, z]) {
      const cut = await cell(text, 'Detail')
        .locator('span')
        .last()
        .evaluate((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight);
      expect(cut, text).to.equal(false);
    }
  });
});
