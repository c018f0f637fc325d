/** Every word of the venue about orders, as its documentation lists them, has its meaning here. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  isDuplicate,
  type Meaning,
  meaningOfRefusal,
  meaningOfRequestError,
  meaningOfStatus,
} from '../../../../../gateway/venues/live/hyperliquid/statuses.ts';

const { statuses, errors } = JSON.parse(
  readFileSync(new URL('../../../../data/live/hyperliquid/order-statuses.json', import.meta.url), 'utf8'),
) as { statuses: Record<string, string>; errors: Record<string, string> };

const documented = JSON.parse(
  readFileSync(
    new URL('../../../../data/live/hyperliquid/exchange_error_messages.json', import.meta.url),
    'utf8',
  ),
) as { errors: { type: string; message: string; source?: string }[] };

/** Expected meaning of each documented error, by its type. */
const MEANINGS: Readonly<Record<string, string>> = {
  Tick: 'rejected tick',
  MinTradeNtl: 'rejected minimum',
  MinTradeSpotNtl: 'rejected minimum',
  PerpMargin: 'rejected margin',
  ReduceOnly: 'rejected reduce_only',
  BadAloPx: 'rejected price',
  IocCancel: 'cancelled',
  BadTriggerPx: 'rejected price',
  MarketOrderNoLiquidity: 'cancelled',
  PositionIncreaseAtOpenInterestCap: 'rejected not_tradable',
  PositionFlipAtOpenInterestCap: 'rejected not_tradable',
  TooAggressiveAtOpenInterestCap: 'rejected price',
  OpenInterestIncrease: 'rejected not_tradable',
  InsufficientSpotBalance: 'rejected margin',
  Oracle: 'rejected price',
  PerpMaxPosition: 'rejected margin',
};

/** The list's own words for a meaning. */
function named(meaning: Meaning | null): string {
  if (meaning === null) return 'unknown';
  return meaning.kind === 'rejected' ? `rejected ${meaning.reason}` : meaning.kind;
}

describe('words of Hyperliquid about orders', () => {
  for (const [status, wanted] of Object.entries(statuses)) {
    it(`status ${status}: ${wanted}`, () => {
      expect(wanted.startsWith(named(meaningOfStatus(status))), named(meaningOfStatus(status))).to.equal(
        true,
      );
    });
  }

  for (const [text, wanted] of Object.entries(errors)) {
    // A cancel's own refusal: there the order is looked up.
    if (wanted.startsWith('cancel only')) continue;
    it(`refusal "${text}": ${wanted}`, () => {
      const words = wanted.startsWith('done, cancelled') ? 'cancelled' : wanted;
      for (const sent of text.split(' / '))
        for (const full of [sent, `${sent} asset=3`]) {
          if (!/^(Order|Price|Insufficient|Reduce|Post|Invalid|No )/.test(full)) continue;
          expect(named(meaningOfRefusal(full)), full).to.equal(words);
        }
    });
  }

  for (const { type, message, source } of documented.errors) {
    // Refuses a cancel, not an order.
    if (source === 'Cancel') continue;
    it(`documented error ${type} "${message}": ${MEANINGS[type]}`, () => {
      for (const sent of [message, `${message} asset=3`, message.replace(/\{\w+\}/g, '100.5@101')])
        expect(named(meaningOfRefusal(sent)), sent).to.equal(MEANINGS[type]);
    });
  }

  it('an order price beyond the band is a refused price, whatever the band is', () => {
    for (const percent of [80, 95])
      expect(
        named(meaningOfRefusal(`Order price cannot be more than ${percent}% away from the reference price`)),
      ).to.equal('rejected price');
  });

  it('an unknown status is asked for again, an unknown refusal is a refusal', () => {
    expect(meaningOfStatus('somethingNew')).to.equal(null);
    expect(named(meaningOfStatus('newReasonCanceled'))).to.equal('cancelled');
    expect(named(meaningOfStatus('newReasonRejected'))).to.equal('rejected other');
    for (const word of ['internalCancel', 'outcomeSettledCanceled'])
      expect(named(meaningOfStatus(word)), word).to.equal('cancelled');
    for (const word of ['rejected', 'tooManyOpenOrdersRejected'])
      expect(named(meaningOfStatus(word)), word).to.equal('rejected other');
    expect(named(meaningOfRefusal('The moon is full. asset=1'))).to.equal('rejected other');
    for (const name of ['constructor', '__proto__']) expect(meaningOfStatus(name)).to.equal(null);
  });

  it('a refused request: the key, the expiry, the nonce, the limit, or else', () => {
    expect(meaningOfRequestError('User or API Wallet 0xabc does not exist.')).to.equal('auth');
    expect(meaningOfRequestError('Must deposit before performing actions. User: 0xabc')).to.equal('auth');
    expect(meaningOfRequestError('Vault not registered: 0xabc')).to.equal('auth');
    expect(meaningOfRequestError('Order expired before it was executed.')).to.equal('expired');
    expect(meaningOfRequestError('Invalid nonce: duplicate nonce 1')).to.equal('nonce');
    expect(meaningOfRequestError('Too many cumulative requests sent')).to.equal('limited');
    expect(meaningOfRequestError('Cannot switch leverage type with open position.')).to.equal('refused');
    expect(isDuplicate('Cloid is already in use.')).to.equal(true);
    expect(isDuplicate('Order has invalid size.')).to.equal(false);
  });
});
