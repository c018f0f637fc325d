/** News of one account in trouble at a venue that is not. */

import { expect } from 'chai';
import type { TradeAccountStatus } from '../../../gateway/domain/model.ts';
import { tellAccountNews } from '../../../gateway/engine/notices/account-news.ts';
import type { AccountStatus, ConnectorStatus } from '../../../gateway/engine/ports/venue-status.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';

const WELL: AccountStatus = { status: 'UP', trading: 'UP', reason: null, until: null };
const SHORT: AccountStatus = { ...WELL, status: 'DEGRADED', trading: 'CLOSE_ONLY', reason: 'none are left' };

describe('news of an account', () => {
  const desk = engineDeskForEachTest();
  let now: AccountStatus;
  let venueIs: ConnectorStatus['status'];
  let accountIs: TradeAccountStatus;
  let change: (next: AccountStatus) => void;
  let stop = () => {};

  beforeEach(async () => {
    now = WELL;
    venueIs = 'UP';
    accountIs = 'READY';
    const venue = {
      ...desk.venue,
      status: (): ConnectorStatus => ({ status: venueIs, since: 0, reason: null }),
      accountStatus: () => now,
      onAccountStatus(listener: (account: { tradeAccountId: string; exchangeIdentifier: string }) => void) {
        change = (next) => {
          now = next;
          listener({ tradeAccountId: desk.account.id, exchangeIdentifier: '' });
        };
        return () => {
          change = () => {};
        };
      },
    };
    stop = tellAccountNews(desk.engine.accept, [venue], () => [{ ...desk.account, status: accountIs }]);
  });
  afterEach(async () => {
    stop();
  });

  const told = async () => {
    await desk.quiet();
    return notificationsOf(desk);
  };
  const categories = async () => (await told()).map(({ category }) => category);

  it('is told after ten seconds, to the account, and once that it is over', async () => {
    change(SHORT);
    await desk.pass(9_999);
    expect(await told()).to.deep.equal([]);
    await desk.pass(1);
    expect((await told())[0]?.parameters).to.deep.equal({
      type: 'account',
      tradeAccountId: desk.account.id,
      connector: desk.account.connector,
      reason: `${desk.account.alias}: none are left`,
    });
    change(WELL);
    await desk.pass(10_000);
    change(WELL);
    await desk.pass(10_000);
    expect(await categories()).to.deep.equal(['CONNECTOR_DEGRADED', 'CONNECTOR_RECOVERED']);
  });

  it('is not told of what passes, of a refused key, and while the venue itself is in trouble', async () => {
    change(SHORT);
    await desk.pass(5_000);
    change(WELL);
    await desk.pass(20_000);
    accountIs = 'INVALID_CREDENTIALS';
    change(SHORT);
    await desk.pass(20_000);
    accountIs = 'READY';
    venueIs = 'DOWN';
    change(SHORT);
    await desk.pass(20_000);
    expect(await told()).to.deep.equal([]);
  });

  it('that comes and goes is told once in ten minutes', async () => {
    for (let round = 0; round < 5; round += 1) {
      change(SHORT);
      await desk.pass(15_000);
      change(WELL);
      await desk.pass(15_000);
    }
    expect(await categories()).to.deep.equal(['CONNECTOR_DEGRADED', 'CONNECTOR_RECOVERED']);
    await desk.pass(10 * 60_000);
    change(SHORT);
    await desk.pass(15_000);
    expect(await categories()).to.have.length(3);
  });
});
