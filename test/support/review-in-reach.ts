/** Orders that were sent leave room for the next one: *Review* stays where it can be pressed. */
import { expect } from 'chai';
import { expectAccessible } from './dashboard.ts';
import { faultScript } from './fault-script.ts';
import { PAIR_LINK, type TradeScreen } from './trade-screen.ts';

/** Narrower windows show the screen as one page. */
const PHONE_PX = 600;

export function itKeepsReviewInReach(
  desk: TradeScreen,
  [width, height]: readonly [width: number, height: number],
  { failed, filled }: { readonly failed: number; readonly filled: number } = { failed: 3, filled: 4 },
): void {
  it(`keeps Review on the screen after ${failed} orders that failed and ${filled} that filled, at ${width} px`, async () => {
    const { page, ticket } = desk;
    await page.setViewportSize({ width, height });
    const reject = { kind: 'reject', reason: 'other', message: 'risk engine says no' } as const;
    const script = faultScript().at({ symbol: 'SOL-PERP', times: null }, reject).done();
    desk.gateway.gateway.paperVenue('paper').setFaults(script);
    const place = async (link: string, word: string, times: number) => {
      await desk.goTo(link);
      for (let sent = 0; sent < times; sent += 1) {
        await ticket()
          .getByLabel('Notional')
          .fill(`${200 + sent}`);
        const sheet = await desk.review();
        await sheet.getByRole('button', { name: 'Place order' }).click();
        await sheet.waitFor({ state: 'detached' });
        await desk.cardSays(word);
      }
    };
    await place('/trade?long=SOL-PERP&short=BTC-PERP', 'Partly filled', failed);
    await place(PAIR_LINK, 'Filled', filled);
    await ticket().getByLabel('Notional').fill('300');
    const onwards = ticket().getByRole('button', { name: 'Review' });
    // A phone scrolls the whole page. Wider screens keep the button in place, whatever the ticket holds.
    if (width < PHONE_PX) await onwards.scrollIntoViewIfNeeded();
    const box = await onwards.boundingBox();
    expect(box?.height).to.be.at.least(28);
    const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    const onTop = await page.evaluate(
      `document.elementFromPoint(${middle.x}, ${middle.y})?.closest('button')?.textContent`,
    );
    expect(onTop, 'it can be pressed').to.equal('Review');
    expect((box?.y ?? height) + (box?.height ?? 0)).to.be.at.most(height);
    await expectAccessible(page, 'after several orders');
  });
}
