import { expect } from 'chai';
import { formatLevel, formatMoney, formatNumber } from '../../../renderer/components/format.ts';
import { type TimelineSources, timelineOf } from '../../../renderer/screens/positions/timeline.ts';
import { bracketRow, type TriggerRow, triggerRow } from './wire-rows.ts';

type Fill = TimelineSources['fills'][number];
type Execution = TimelineSources['executions'][number];

const POSITION = '11111111-1111-4111-8111-111111111111';
const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

const fill = (over: Partial<Fill>): Fill => ({
  id: 'f1',
  executionId: 'e1',
  orderId: null,
  positionId: POSITION,
  connector: 'paper',
  symbol: 'BTC-PERP',
  side: 'BUY',
  price: '100000',
  quantity: '0.01',
  notional: '1000',
  fee: '0.45',
  feeAsset: 'USDC',
  realizedPnl: '0',
  liquidity: 'TAKER',
  venueOrderId: null,
  tradeId: 't1',
  cloid: null,
  isLiquidation: false,
  isProvisional: false,
  cause: 'TRADE',
  timestamp: at(1),
  ...over,
});

const execution = (over: Partial<Execution>): Execution => ({
  id: 'e1',
  authority: { kind: 'session', name: 'you' },
  connector: 'paper',
  tradeAccountId: POSITION,
  basketKey: 'k',
  type: 'MARKET',
  origin: 'API',
  intent: 'OPEN',
  status: 'COMPLETED',
  error: null,
  errorCode: null,
  onLegFailure: 'KEEP',
  slippage: '0.01',
  orders: [],
  positionId: POSITION,
  clientId: null,
  parentId: null,
  createdAt: at(0),
  activeAt: at(0),
  finishedAt: at(1),
  updatedAt: at(1),
  ...over,
});

const trigger = (over: Partial<TriggerRow>): TriggerRow =>
  triggerRow({
    ...{ kind: 'CLOSE', bracketType: 'STOP_LOSS', positionId: POSITION, fraction: '1' },
    bracket: bracketRow({ value: '2', slippage: '0.03' }),
    ...{ createdAt: at(2), updatedAt: at(2) },
    ...over,
  });

const EN = { locale: 'en-US' } as const;

const timeline = (over: Partial<TimelineSources>) =>
  timelineOf(
    {
      position: { id: POSITION, createdAt: at(0), closedAt: null, autoRebalance: null },
      fills: [],
      executions: [],
      triggers: [],
      schedules: [],
      ...over,
    },
    {
      tickerOf: (symbol) => symbol.split('-')[0] ?? symbol,
      size: (_, value) => formatNumber(EN, value, { minDigits: 5 }),
      price: (_, value) => formatNumber(EN, value, { minDigits: 1 }),
      level: (value) => formatLevel(EN, value),
      money: (value) => formatMoney(EN, value),
    },
  );

describe('the timeline of a position', () => {
  it('is newest first: opened, bracket set, bracket fired', () => {
    const entries = timeline({
      executions: [execution({})],
      fills: [fill({})],
      triggers: [trigger({ status: 'COMPLETED', triggeredAt: at(9), updatedAt: at(9) })],
    });
    expect(entries.map(({ title }) => title)).to.deep.equal(['Stop-loss fired', 'Stop-loss set', 'Opened']);
    expect(entries[1]?.detail).to.equal('PnL −2 %');
    expect(entries[2]?.detail).to.equal('BTC bought 0.01000 at 100,000.0');
  });

  it('writes a level as everywhere: grouped, with a true minus', () => {
    const condition = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '-1234.5' } as const;
    const [set] = timeline({ triggers: [trigger({ bracketType: null, bracket: null, condition })] });
    expect(set?.detail).to.equal('Price ratio below \u22121,234.5');
  });

  it('tells who closed it, what failed and why', () => {
    const [closed, failed] = timeline({
      executions: [
        execution({ id: 'e2', intent: 'CLOSE', origin: 'BRACKET', finishedAt: at(5) }),
        execution({
          id: 'e3',
          intent: 'REDUCE',
          status: 'FAILED',
          error: 'Margin is short',
          finishedAt: at(4),
        }),
      ],
    });
    expect(closed?.title).to.equal('Closed by take-profit or stop-loss');
    expect(failed).to.include({ title: 'Reduced: failed', detail: 'Margin is short', tone: 'bad' });
  });

  it('leaves out what belongs to other positions', () => {
    const other = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
    expect(
      timeline({
        executions: [execution({ positionId: other })],
        triggers: [trigger({ positionId: other })],
      }),
    ).to.deep.equal([]);
  });

  it('shows fills of executions that are not at hand, and fills of none', () => {
    const entries = timeline({
      fills: [
        fill({ id: 'f2', executionId: 'e9', timestamp: at(3) }),
        fill({ id: 'f3', executionId: null, timestamp: at(4) }),
        fill({ id: 'f4', executionId: null, isLiquidation: true, timestamp: at(5) }),
      ],
    });
    expect(entries.map(({ title }) => title)).to.deep.equal([
      'Liquidated by the venue',
      'Traded outside Tandem',
      'Traded',
    ]);
  });
});
