/** A gateway for a few tests of an account at an emulated Hyperliquid where something goes wrong. */
import { expect } from 'chai';
import { openForEachTest } from '../../open-for-tests.ts';
import { type LiveAccount, type LiveGateway, type LiveLeg, liveGatewayForSuite } from './live-gateway.ts';

export const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '200'],
  ['ETH', 'SELL', '200'],
];
export const LONG: readonly LiveLeg[] = [['BTC', 'BUY', '200']];

export function expectSentOnce(bot: LiveAccount): void {
  const ids = bot.orderIds();
  expect(new Set(ids).size).to.equal(ids.length);
}
export const expectExplained = async (bot: LiveAccount) => expect(await bot.unexplained()).to.deep.equal([]);

/** Call it in `describe`: a gateway for a few tests, since a venue follows only ten accounts for one address. */
export function faultSuite(): { readonly live: LiveGateway; readonly bot: LiveAccount } {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());
  afterEach(() => {
    const { script } = live.emulator;
    script.clearFaults();
    script.setFillsNameClientIds(true);
    script.setClockOffset(0);
    script.setMark('BTC', '100000');
    script.setMark('ETH', '4000');
  });
  return { live, bot };
}
