/** Notifications of the engine itself: legs that filled unevenly, connectors that go down. */

import { expect } from 'chai';
import { type ConnectorStatuses, tellConnectorNews } from '../../../gateway/engine/notices/connector-news.ts';
import type { ConnectorStatus } from '../../../gateway/engine/ports/venue-status.ts';
import { createMarket } from '../../../gateway/market/market.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';
import { createMarketVenue, perp, silentLogger, venuesOf } from '../../support/market-venue.ts';

const PAIR = [leg('AAA', 'BUY', '2', 'BASE'), leg('BBB', 'SELL', '3', 'BASE')];

describe('notifications of the engine', () => {
  const desk = engineDeskForEachTest();
  let stopNews = () => {};
  afterEach(async () => {
    stopNews();
  });

  const told = () => notificationsOf(desk);
  const categories = async () => (await told()).map(({ category }) => category);

  describe('LEG_IMBALANCE', () => {
    it('names the basket, the execution and what happened, in the unit of the end', async () => {
      desk.venue.behave(({ symbol }) => (symbol === 'BBB-PERP' ? { fraction: '0' } : {}));
      const { id, positionId, error } = await desk.opened(PAIR);
      const [notification, ...more] = await told();
      expect(more).to.deep.equal([]);
      expect(notification).to.include({ category: 'LEG_IMBALANCE', isRead: false });
      expect(notification?.parameters).to.deep.equal({
        type: 'leg_imbalance',
        tradeAccountId: desk.account.id,
        connector: 'scripted',
        positionId,
        executionId: id,
        reason: error,
        legs: [
          { id: 'AAA-PERP', symbol: 'AAA', side: 'BUY' },
          { id: 'BBB-PERP', symbol: 'BBB', side: 'SELL' },
        ],
      });
      const unit = desk.commits.find(({ unit }) => unit.notifications !== undefined)?.unit;
      expect(unit?.executions?.[0]).to.include({ id, status: 'FAILED' });
      expect(unit?.events?.map(({ event }) => event)).to.include('notification.created');
    });

    it('not when all filled alike, nothing filled, or one leg is all there is', async () => {
      await desk.opened(PAIR);
      desk.venue.behave(() => ({ fraction: '0.5' }));
      await desk.opened([leg('AAA', 'BUY', '2', 'BASE'), leg('CCC', 'SELL', '4', 'BASE')]);
      await desk.opened([leg('CCC', 'BUY', '2', 'BASE')]);
      desk.venue.behave(() => ({ fraction: '0' }));
      await desk.opened(PAIR);
      expect(await categories()).to.deep.equal([]);
    });

    it('not when the unwind closes it; told when that fails too', async () => {
      desk.venue.behave(({ symbol, reduceOnly }) =>
        symbol === 'BBB-PERP' && !reduceOnly ? { fraction: '0.5' } : {},
      );
      await desk.opened(PAIR, { onLegFailure: 'UNWIND' });
      await desk.allEnded();
      expect(await categories()).to.deep.equal([]);
      desk.venue.behave(({ symbol, reduceOnly }) => {
        if (!reduceOnly) return symbol === 'BBB-PERP' ? { fraction: '0.5' } : {};
        return symbol === 'BBB-PERP' ? { rejects: { reason: 'other', message: 'no' } } : {};
      });
      await desk.opened(PAIR, { onLegFailure: 'UNWIND' });
      await desk.allEnded();
      expect(await categories()).to.deep.equal(['LEG_IMBALANCE']);
      expect((await told())[0]?.parameters.reason).to.match(/[^.]\. Still open of it: short 1\.5 BBB$/);
    });

    it('where one leg alone had filled and its unwind fails', async () => {
      desk.venue.behave(({ symbol, reduceOnly }) =>
        symbol === 'BBB-PERP' || reduceOnly ? { rejects: { reason: 'other', message: 'no' } } : {},
      );
      await desk.opened(PAIR, { onLegFailure: 'UNWIND' });
      await desk.allEnded();
      expect(desk.venue.held('AAA-PERP')).to.equal('2');
      const [{ parameters } = {}, ...more] = await told();
      expect(more).to.deep.equal([]);
      expect(parameters?.reason).to.match(
        /^An order failed, and closing its fills again failed too: Leg 1 .*: no\. Nothing was filled\. Still open of it: long 2 AAA$/,
      );
    });

    it('of a close that took out one leg only', async () => {
      const { positionId } = await desk.opened(PAIR);
      desk.venue.behave(({ symbol }) => (symbol === 'BBB-PERP' ? { fraction: '0' } : {}));
      await desk.ended(await desk.close(positionId ?? ''));
      expect(await categories()).to.deep.equal(['LEG_IMBALANCE']);
      expect((await told())[0]?.parameters.positionId).to.equal(positionId);
    });
  });

  describe('CONNECTOR_DEGRADED', () => {
    let change = (_: ConnectorStatus) => {};
    const status = (state: ConnectorStatus['status'], reason: string | null = null) =>
      change({ status: state, since: desk.clock.now(), reason });

    beforeEach(() => {
      let now: ConnectorStatus = { status: 'UP', since: 0, reason: null };
      const statuses: ConnectorStatuses = {
        connectorIds: () => ['scripted'],
        statusOf: () => now,
        onStatus(listener) {
          change = (next) => {
            now = next;
            listener('scripted');
          };
          return () => {
            change = () => {};
          };
        },
      };
      const elsewhere = { ...desk.account, id: 'elsewhere', connector: 'another' };
      const second = { ...desk.account, id: 'second' };
      stopNews = tellConnectorNews(desk.engine.accept, statuses, () => [desk.account, second, elsewhere]);
    });

    it('is told once a user, and to each of the accounts there', async () => {
      status('DOWN', 'connection lost');
      await desk.quiet();
      const [notification, ...more] = await told();
      expect(more).to.deep.equal([]);
      expect(notification?.parameters).to.deep.equal({
        type: 'connector',
        connector: 'scripted',
        reason: 'DOWN: connection lost',
      });
      const created = desk.events.filter(({ event }) => event === 'notification.created');
      expect(created.map(({ tradeAccountId }) => tradeAccountId)).to.deep.equal([desk.account.id, 'second']);
    });

    it('one that comes and goes is told at most once a minute; getting worse is not told again', async () => {
      for (const state of ['DEGRADED', 'DOWN', 'UP', 'DOWN', 'UP'] as const) status(state);
      await desk.pass(60_000);
      status('DOWN');
      await desk.quiet();
      const downs = (await categories()).filter((category) => category === 'CONNECTOR_DEGRADED');
      expect(downs).to.have.length(2);
    });

    it('whoever heard that it is in trouble hears once that it works again', async () => {
      for (const state of ['DEGRADED', 'DOWN', 'UP', 'DOWN', 'UP', 'UP'] as const) status(state);
      await desk.quiet();
      const recovered = (await told()).filter(({ category }) => category === 'CONNECTOR_RECOVERED');
      expect(recovered.map(({ parameters }) => parameters)).to.deep.equal([
        { type: 'connector', connector: 'scripted', reason: 'UP' },
      ]);
    });

    it('one whose prices come and that takes no orders is told of, unless that ends within a minute', async () => {
      const limited = (ms: number | null) =>
        change({
          ...{ status: 'UP', since: 0, reason: 'maintenance', trading: 'DOWN' },
          until: ms === null ? null : desk.clock.now() + ms,
        });
      limited(10_000);
      status('UP');
      await desk.quiet();
      expect(await told()).to.deep.equal([]);
      limited(3_600_000);
      await desk.quiet();
      expect((await told())[0]?.parameters.reason).to.equal('It takes no orders: maintenance');
      status('UP');
      await desk.quiet();
      expect(await categories()).to.deep.equal(['CONNECTOR_DEGRADED', 'CONNECTOR_RECOVERED']);
      await desk.pass(60_000);
      limited(null);
      await desk.quiet();
      expect(await categories()).to.have.length(3);
    });

    it('a venue that says UP and sends nothing is told of as the list of connectors says it, and its return', async () => {
      stopNews();
      const venue = createMarketVenue({
        id: 'scripted',
        clock: desk.clock,
        instruments: [perp('scripted', 'AAA')],
      });
      const market = createMarket({ venues: venuesOf(venue), clock: desk.clock, logger: silentLogger });
      market.start();
      stopNews = tellConnectorNews(desk.engine.accept, market, () => [desk.account]);
      await desk.pass(5_100);
      await desk.quiet();
      const [record] = market.connectors();
      expect(record?.status).to.equal('DEGRADED');
      venue.move({ 'AAA-PERP': '101' });
      await desk.quiet();
      market.close();
      expect((await told()).map(({ category, parameters }) => [category, parameters.reason])).to.deep.equal([
        ['CONNECTOR_DEGRADED', `DEGRADED: ${record?.reason}`],
        ['CONNECTOR_RECOVERED', 'UP'],
      ]);
    });

    it('not any more after it was stopped', async () => {
      stopNews();
      status('DOWN');
      await desk.quiet();
      expect(await categories()).to.deep.equal([]);
    });
  });
});
