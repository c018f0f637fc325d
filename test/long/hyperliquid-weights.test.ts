/** The weight that Hyperliquid allows an address a minute: orders have a share of it that no reading takes. */
import { expect } from 'chai';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { LiveGateway, type LiveLeg } from '../support/venues/hyperliquid/live-gateway.ts';

const ALLOWED = 1_200;
const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '50'],
  ['ETH', 'SELL', '50'],
];

describe('API: Hyperliquid, weight of one address', () => {
  let live: LiveGateway;

  beforeEach(async () => {
    const prepare: Parameters<typeof LiveGateway.start>[1] = ({ script }) =>
      script.setWeightPerMinute(ALLOWED);
    live = await LiveGateway.start(await temporaryFolder(), prepare, true);
  });
  afterEach(async () => {
    await live.close();
    await removeTemporaryFolders();
  });

  it('two accounts are connected and open at once: nothing is refused, and no minute weighs too much', async function () {
    this.timeout(120_000);
    const first = await live.account();
    const second = await live.account();
    const ended = await Promise.all([first.open(PAIR), second.open(PAIR)]);
    for (const execution of ended) {
      expect(execution).to.include({ status: 'COMPLETED' });
      // Each leg was sent once: nothing was refused and tried again.
      expect(execution.orders).to.have.length(PAIR.length);
    }
    const closed = await Promise.all(
      [first, second].map((bot, index) => bot.close(ended[index]?.positionId)),
    );
    for (const execution of closed) expect(execution).to.include({ status: 'COMPLETED' });
    await live.gateway.clock.advance(60_000);
    expect(live.emulator.script.mostInAMinute()).to.be.at.most(ALLOWED);
    expect(await live.status()).to.include({ status: 'UP', trading: 'UP' });
  });
});
