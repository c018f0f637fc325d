/** A gateway for a few tests of an account at an emulated Hyperliquid where something goes wrong. */
import { expect } from 'chai';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type LiveAccount, LiveGateway, type LiveLeg } from './live-gateway.ts';

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
  let live: LiveGateway;
  let bot: LiveAccount;

  before(async () => {
    live = await LiveGateway.start(await temporaryFolder());
  });
  beforeEach(async () => {
    bot = await live.account();
  });
  afterEach(() => {
    const { script } = live.emulator;
    script.clearFaults();
    script.setFillsNameClientIds(true);
    script.setClockOffset(0);
    script.setMark('BTC', '100000');
    script.setMark('ETH', '4000');
  });
  after(() => live.close());
  return {
    get live() {
      return live;
    },
    get bot() {
      return bot;
    },
  };
}
