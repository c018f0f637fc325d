import { expect } from 'chai';
import fc from 'fast-check';
import type { Execution, Order } from '../../../gateway/domain/model.ts';
import { authorityNames } from '../../../gateway/http/present/authority.ts';
import { presentExecution } from '../../../gateway/http/present/execution.ts';
import { executionJson } from '../../../gateway/http/present/execution-json.ts';
import { forAll } from '../../support/property-runs.ts';
import { UNSENT } from '../../support/store-records.ts';

const decimal = fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String);
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });

const order: fc.Arbitrary<Order> = fc.record({
  id: fc.uuid(),
  executionId: fc.uuid(),
  tradeAccountId: fc.uuid(),
  legIndex: fc.nat(19),
  symbol: fc.string(),
  side: fc.constantFrom('BUY', 'SELL'),
  mode: fc.constantFrom('USD', 'BASE', 'WEIGHT'),
  amount: decimal,
  reduceOnly: fc.boolean(),
  quantity: nullable(decimal),
  limitPrice: nullable(decimal),
  worstPrice: nullable(decimal),
  sizedPrice: nullable(decimal),
  targetQuantity: nullable(decimal),
  attempt: fc.nat(4),
  clientOrderId: nullable(fc.string()),
  expiresAt: nullable(time),
  venueOrderId: nullable(fc.string()),
  status: fc.constantFrom('PENDING', 'PARTIAL', 'FILLED', 'CANCELLED', 'REJECTED'),
  filledQuantity: decimal,
  averagePrice: nullable(decimal),
  error: nullable(fc.string({ unit: 'binary' })),
  errorCode: nullable(fc.constantFrom('MIN_NOTIONAL', 'UNKNOWN_OUTCOME')),
  createdAt: time,
  updatedAt: time,
});

/** As an acknowledgement has it. */
const untouched: fc.Arbitrary<Order> = order.map((one) => ({
  ...one,
  ...UNSENT,
  updatedAt: one.createdAt,
}));

const execution: fc.Arbitrary<Execution> = fc.record({
  id: fc.uuid(),
  userId: fc.uuid(),
  tradeAccountId: fc.uuid(),
  connector: fc.string(),
  basketKey: fc.string({ unit: fc.constantFrom('0', 'a', 'f'), minLength: 64, maxLength: 64 }),
  type: fc.constant('MARKET'),
  origin: fc.constantFrom('API', 'TRIGGER'),
  intent: fc.constantFrom('OPEN', 'ADJUST', 'CLOSE'),
  status: fc.constantFrom('IDLE', 'ACTIVE', 'COMPLETED', 'FAILED'),
  error: nullable(fc.string({ unit: 'binary' })),
  errorCode: nullable(fc.constantFrom('MIN_NOTIONAL', 'GATEWAY_RESTARTED', 'PAUSED')),
  positionId: nullable(fc.uuid()),
  clientId: nullable(fc.string()),
  parentId: nullable(fc.uuid()),
  onLegFailure: fc.constantFrom('KEEP', 'UNWIND', 'RETRY'),
  slippage: decimal,
  authorityKind: nullable(fc.constantFrom('session', 'api_key', 'oauth_grant')),
  authorityId: nullable(fc.uuid()),
  reserved: nullable(fc.record({ usd: decimal, asked: fc.boolean() })),
  createdAt: time,
  activeAt: nullable(time),
  finishedAt: nullable(time),
  updatedAt: time,
  orders: fc.array(fc.oneof(order, untouched), { maxLength: 4 }),
});

describe('executionJson', () => {
  it('is what JSON.stringify makes of the presented execution, whatever its texts hold', () =>
    forAll([execution, fc.string({ unit: 'binary' })], (value, label) => {
      const names = authorityNames({ keyLabel: () => label, agentName: () => label });
      const name = names.to({ kind: 'session', userId: 'user', sessionId: 'session' });
      expect(executionJson(value, name)).to.equal(JSON.stringify(presentExecution(value, name)));
    }));
});
