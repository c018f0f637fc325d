/** A venue or an account that takes no openings at the moment: they are refused with its reason, closings go. */
import { expect } from 'chai';
import type { AccountStatus, ConnectorStatus } from '../../../gateway/engine/ports/venue-status.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];

describe('a venue that takes only what closes', () => {
  let closeOnly: boolean;
  let other: ConnectorStatus | null;
  let own: AccountStatus | null;
  const asked: string[] = [];
  const desk = engineDeskForEachTest(({ venue }) => {
    closeOnly = false;
    other = null;
    own = null;
    const status = (): ConnectorStatus =>
      closeOnly
        ? { status: 'DEGRADED', since: 0, reason: 'the clock is off', trading: 'CLOSE_ONLY' }
        : (other ?? { status: 'UP', since: 0, reason: null });
    const accountStatus = ({ tradeAccountId }: { readonly tradeAccountId: string }) => {
      asked.push(tradeAccountId);
      return own;
    };
    Object.assign(venue, { status, accountStatus });
  });

  it('refuses a basket when it is asked for, and takes it once that has passed', async () => {
    closeOnly = true;
    const refused = await desk.open(LEGS).catch(String);
    expect(refused)
      .to.match(/RESOURCE_BUSY/)
      .and.match(/CLOSE_ONLY/)
      .and.match(/the clock is off/);
    expect(desk.venue.sent).to.deep.equal([]);
    closeOnly = false;
    expect(await desk.opened(LEGS)).to.include({ status: 'COMPLETED' });
  });

  it('sends nothing of a basket that was accepted just before', async () => {
    desk.afterCommit = ({ newExecutions }) => {
      if (newExecutions !== undefined) closeOnly = true;
    };
    const execution = await desk.opened(LEGS);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'CLOSE_ONLY' });
    expect(execution.error).to.include('the clock is off').and.to.include('No orders were placed');
    expect(desk.venue.sent).to.deep.equal([]);
  });

  it('closes what is open', async () => {
    const { positionId } = await desk.opened(LEGS);
    closeOnly = true;
    expect(await desk.ended(await desk.close(positionId ?? ''))).to.include({ status: 'COMPLETED' });
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });

  it('says until when and why nothing opens where the venue takes no orders at all', async () => {
    other = { status: 'UP', since: 0, trading: 'DOWN', reason: 'maintenance', until: 1_234_567 };
    const refused = await desk.open(LEGS).catch(String);
    expect(refused)
      .to.match(/RESOURCE_BUSY/)
      .and.match(/VENUE_DOWN/)
      .and.match(/maintenance/)
      .and.match(/1234567/);
    expect(desk.venue.sent).to.deep.equal([]);
  });

  it('refuses and closes for one account alone, whatever the venue says', async () => {
    const { positionId } = await desk.opened(LEGS);
    own = { status: 'DEGRADED', trading: 'DOWN', reason: 'its key', until: null };
    const refused = await desk.open(LEGS).catch(String);
    expect(refused)
      .to.match(/ACCOUNT_DOWN/)
      .and.match(/its key/)
      .and.not.match(/retryAt/);
    expect(asked).to.include(desk.account.id);
    expect(await desk.ended(await desk.close(positionId ?? ''))).to.include({ status: 'COMPLETED' });
    own = null;
    expect(await desk.opened(LEGS)).to.include({ status: 'COMPLETED' });
  });
});
