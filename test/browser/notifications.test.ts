/** Notifications: what has happened, read and unread, in a narrow window too, and the warning of a liquidation. */
import { expect } from 'chai';
import { systemClock } from '../../gateway/system/clock.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import type { Json } from '../support/json.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { notificationsSuite } from '../support/notifications-suite.ts';
import { untilPage } from '../support/page-time.ts';
import { nextId } from '../support/store-records.ts';
import { usd } from '../support/trader.ts';

const OLD = 230;

describe('notifications on the screen', function () {
  this.timeout(180_000);
  const { bot, gateway, page, goTo, list, row, fireTrigger } = notificationsSuite();

  it('of an account to which nothing has happened say what would stand there @long', async () => {
    await goTo('/notifications');
    await page.getByText('No notifications').waitFor();
    expect(await page.getByRole('button', { name: 'Mark all read' }).isDisabled()).to.equal(true);
    await expectAccessible(page, 'no notifications');
    await page.getByRole('radio', { name: 'Unread' }).click();
    await page.getByText('All read', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('No notifications').waitFor();
  });

  itInFreshTab('have what happened in the head of their card in a narrow window @long', async () => {
    await fireTrigger();
    await goTo('/notifications');
    await page.setViewportSize({ width: 400, height: 800 });
    const place = async (name: string) => {
      const cell = row('Trigger executed').locator(`[data-name="${name}"]`);
      return (await cell.boundingBox())?.y ?? 0;
    };
    await untilPage(page, 'what happened beside the mark', async () => {
      const [mark, what, time] = [
        await place('Read or unread'),
        await place('What'),
        await place('Time (local)'),
      ];
      return mark > 0 && Math.abs(what - mark) <= 2 && time > what;
    });
    await expectAccessible(page, 'notifications as cards');
    // A sentence that has no room is shortened, and nothing is out of view for it.
    await page.setViewportSize({ width: 900, height: 800 });
    await untilPage(page, 'nothing to scroll to', () =>
      page.evaluate<boolean>(`innerWidth === 900 && [...document.querySelectorAll('main table')].every(
        ({ parentElement: frame }) => frame.scrollWidth <= frame.clientWidth,
      )`),
    );
  });

  it('are listed to the last page, marked read and unread, filtered, and lead to what they are about', async () => {
    await fireTrigger();
    const me = await gateway.request('GET', '/auth/me', {
      headers: { authorization: `Bearer ${bot.accessToken}` },
    });
    const userId = me.json.id;
    const base = systemClock.now() - 86_400_000;
    await gateway.seed({
      notifications: Array.from({ length: OLD }, (_, number) => ({
        id: nextId(base + number),
        userId,
        category: number === 0 ? ('LADDER_COMPLETED' as const) : ('REBALANCE_DRIFT' as const),
        parameters: {
          type: 'rebalance',
          reason: `drift ${number}`,
          legs: [
            { id: 'BTC-PERP', symbol: 'BTC', side: 'BUY' as const },
            { id: 'ETH-PERP', symbol: 'ETH', side: 'SELL' as const },
          ],
        },
        isRead: false,
        createdAt: base + number,
        updatedAt: base + number,
      })),
    });
    await goTo('/notifications');
    await row('Trigger executed').getByText('BTC').waitFor();
    await expectAccessibleWhenLong(page, 'a long list');

    // The oldest is on the third page: the filter reads on until it is found.
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'Ladder completed' }).click();
    await row('Ladder completed').waitFor();
    expect(await list().locator('[data-row]').count()).to.equal(1);
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'All categories' }).click();
    await row('Trigger executed').waitFor();
    expect(Number(await list().getAttribute('aria-rowcount'))).to.be.greaterThan(OLD);

    const before = await unread();
    expect(before).to.be.at.least(OLD);
    await row('drift 229').getByRole('button', { name: 'Mark read' }).click();
    await row('drift 229').getByRole('button', { name: 'Mark unread' }).waitFor();
    expect(await unread()).to.equal(before - 1);
    await row('drift 229').getByRole('button', { name: 'Mark unread' }).click();
    await row('drift 229').getByRole('button', { name: 'Mark read' }).waitFor();
    await page.getByRole('button', { name: 'Mark all read' }).click();
    await row('drift 229').getByRole('button', { name: 'Mark unread' }).waitFor();
    expect(await unread()).to.equal(0);

    await row('Trigger executed').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/positions\//);
  });

  async function unread(): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    do {
      const more = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { json } = await bot.call('GET', `/notifications?scope=unread&limit=100${more}`);
      count += json.notifications.length;
      cursor = json.nextCursor;
    } while (cursor !== undefined);
    return count;
  }

  /** A trigger that is true already. */
  itInFreshTab('warn of a liquidation before it happens, and lead to the position @long', async () => {
    await bot.call('PUT', '/leverage', { symbol: 'SOL-PERP', leverage: 4, marginMode: 'isolated' });
    const { positionId } = await bot.open([usd('SOL', 'BUY', '4000')]);
    await goTo('/notifications');
    const { baskets } = (await bot.call('GET', '/positions/risk')).json;
    const { ratioMove } = baskets.find((basket: Json) => basket.positionId === positionId);
    const factor = (1 + Number(ratioMove)) / (1 - 0.08);
    await gateway.gateway.paperVenue('paper').shock('SOL-PERP', factor);
    const warning = row('Liquidation is near');
    await warning.waitFor();
    await warning.getByText('Check', { exact: true }).waitFor();
    await warning.getByText(/^SOL: price \d\.\d % from liquidation\. Add margin or reduce$/).waitFor();
    await expectAccessible(page, 'a warning of a liquidation');
    await page.setViewportSize({ width: 400, height: 800 });
    await warning.getByText('Liquidation is near').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await warning.getByText('Liquidation is near').click();
    await page.waitForURL((url) => url.pathname.endsWith(`/positions/${positionId}`));
  });
});
