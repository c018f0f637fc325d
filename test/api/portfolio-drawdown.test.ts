/** The deepest drawdown of `GET /portfolio/analytics`: of all samples, without deposits and withdrawals. */
import { expect } from 'chai';
import { getPortfolioAnalytics } from '../../gateway/contract/portfolio.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { Json } from '../support/json.ts';
import { startSeededGateway } from '../support/seeded-gateway.ts';
import { fill } from '../support/store-records.ts';
import { trader } from '../support/trader.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = Date.UTC(2025, 2, 3);
const day = (number: number) => new Date(FIRST + number * DAY).toISOString().slice(0, 10);

describe('the deepest drawdown', () => {
  it('counts a fall that recovers within a day, and does not count a full withdrawal', async () => {
    const gateway = await startSeededGateway({ clock: createFakeClock(FIRST + 2 * 365 * DAY) });
    const bot = await trader(gateway);
    const sample = (hour: number, deposits: string, flow: string, gatewayPnl: string) => ({
      ...{ tradeAccountId: bot.accountId, at: FIRST + hour * HOUR, deposits, flow, gatewayPnl },
      ...{ gatewayUnrealized: '0', externalPnl: '0', externalUnrealized: '0' },
    });
    await gateway.seed({
      fills: [fill({ tradeAccountId: bot.accountId, timestamp: FIRST, fee: '0', executionId: null })],
      equitySamples: [
        sample(1, '100000', '0', '0'),
        sample(10, '100000', '0', '-100'),
        sample(20, '100000', '0', '-10'),
        sample(30, '10', '-99990', '-10'),
        sample(54, '10', '0', '-10'),
        sample(60, '50010', '50000', '-10'),
        sample(80, '50010', '0', '0'),
      ],
    });
    const range = `startDate=${day(0)}&endDate=${day(3)}&includeSeries=true`;
    const answer = await bot.call('GET', `/portfolio/analytics?${range}`);
    getPortfolioAnalytics.success[200].parse(answer.json);
    const { risk, series }: Json = answer.json;
    expect(risk.maxDrawdown).to.deep.include({ value: '100', from: day(0), to: day(0), recoveredAt: day(3) });
    expect(Number(risk.maxDrawdown.pct)).to.be.closeTo(0.1, 1e-9);
    expect(series.map(({ equity }: Json) => equity)).to.deep.equal(['99990', '0', '50000', '50010']);
    for (const { drawdown } of series) expect(Number(drawdown)).to.be.at.most(0.01);
    await gateway.close();
  });
});
