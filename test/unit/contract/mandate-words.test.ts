/** The sentences of a mandate: golden texts, and each limit, set and not set, said or not. */
import { expect } from 'chai';
import { mandate } from '../../../gateway/contract/mandate.ts';
import { presetMandate } from '../../../gateway/contract/mandate-presets.ts';
import { houseSentences, mandateSentences } from '../../../gateway/contract/mandate-words.ts';
import { NO_HOUSE_LIMITS } from '../../support/mandates.ts';

const PAPER = '00000000-0000-7000-8000-000000000001';
const LIVE = '00000000-0000-7000-8000-000000000002';
const ACCOUNTS = [
  { id: PAPER, alias: 'Paper', money: 'PAPER' },
  { id: LIVE, alias: 'Main', money: 'LIVE' },
] as const;
const NOW = Date.UTC(2026, 0, 1, 12);
const SMALL = presetMandate(
  'small_and_asked',
  [
    { id: PAPER, mode: 'PAPER' },
    { id: LIVE, mode: 'LIVE' },
  ],
  NOW,
);
const said = (over: object = {}) => mandateSentences(mandate.parse({ ...SMALL, ...over }), ACCOUNTS);

describe('sentences of a mandate', () => {
  it('of the small preset, which takes no account of real money by itself', () => {
    expect(said()).to.deep.equal([
      'It may trade on Paper (play money).',
      'One order may be worth up to 500\u00a0USD, and it may open up to 2,000\u00a0USD in any 24 hours.',
      'What it holds and has waiting may be worth up to 2,000\u00a0USD: at most 4 positions, at most 10 waiting orders and at up to 5× leverage.',
      'It can lose at most about 200\u00a0USD a day before it is stopped.',
      'It is also stopped once it was refused 10 times within an hour, it opened what it had just closed 3 times within 10\u00a0minutes or it paid 40\u00a0USD of fees within an hour.',
      'An order above 250\u00a0USD waits for your yes, for up to 10\u00a0minutes. So does what leaves a position less protected.',
      'You are asked also before its first order with real money and before the same order again within a minute.',
      'It may order at once and set take-profits and stop-losses.',
      'It may change and close only what it placed itself.',
      'No order may fill more than 1 % away from the mark price, except a stop-loss, which has to fill.',
      'It may place at most 6 orders a minute and 60 a day.',
      'It opens nothing after 2026-01-08 12:00 UTC.',
      'It may not read your decrypted venue credentials, manage trade accounts, set accounts up at venues (withdrawals included), change leverage or assign what you traded elsewhere, nor resume trading that you paused.',
    ]);
  });

  const CHANGED: readonly (readonly [string, object, string])[] = [
    ['real money', { accounts: [LIVE, PAPER] }, 'It may trade on Paper (play money) and Main (REAL MONEY).'],
    [
      'an account that is gone',
      { accounts: [crypto.randomUUID()] },
      'It may trade on an account that is gone.',
    ],
    [
      'no limit of an order',
      { maxOrderUsd: null },
      'One order may be of any size, and it may open up to 2,000\u00a0USD in any 24 hours.',
    ],
    [
      'no limit of a day',
      { maxOpenedUsd24h: null },
      'One order may be worth up to 500\u00a0USD, and it may open without a daily limit.',
    ],
    [
      'an amount with a fraction',
      { maxOrderUsd: '1234567.5' },
      'One order may be worth up to 1,234,567.50\u00a0USD, and it may open up to 2,000\u00a0USD in any 24 hours.',
    ],
    ['reducing alone', { reduceOnly: true }, 'It may only make positions smaller: it opens nothing.'],
    [
      'one position',
      { maxPositions: 1, maxResting: null, maxLeverage: null, maxGrossUsd: null },
      'What it holds and has waiting may be worth any amount: at most 1 position and at any leverage.',
    ],
    ['no stop', { lossStop: null }, 'Nothing stops it when it loses.'],
    [
      'asking always',
      { approval: { ...SMALL.approval, when: 'always', aboveUsd: null, lifeSeconds: 3_600 } },
      'Every order waits for your yes, for up to 1\u00a0hour. So does what leaves a position less protected.',
    ],
    [
      'asking never',
      { approval: { ...SMALL.approval, when: 'never', aboveUsd: null, firsts: 'off', duplicates: 'allow' } },
      'You are not asked before it orders.',
    ],
    [
      'a kind that asks',
      { approval: { ...SMALL.approval, kinds: ['reverse'], firsts: 'off' } },
      'You are asked also whenever it wants to reverse positions and before the same order again within a minute.',
    ],
    [
      'a password',
      { approval: { ...SMALL.approval, passwordAboveUsd: '400' } },
      'Above 400\u00a0USD your yes needs your password.',
    ],
    [
      'instruments',
      { instruments: ['BTC-PERP'], deny: ['SOL-PERP'] },
      'It may order at once and set take-profits and stop-losses, in BTC-PERP only, never in SOL-PERP.',
    ],
    [
      'what others placed',
      { manage: 'ALL' },
      'It may change and close everything on these accounts, what you placed as well.',
    ],
    [
      'a slippage',
      { maxSlippage: '0.0025' },
      'No order that opens may fill more than 0.25 % away from the mark price, none that closes more than 1 %, except a stop-loss, which has to fill.',
    ],
    [
      'hours',
      { hours: { zone: 'Europe/Zurich', days: [1, 2], from: '09:00', to: '17:30' } },
      'It opens only on Monday and Tuesday, 09:00 to 17:30 (Europe/Zurich); closing is always possible.',
    ],
    ['no end', { validUntil: null }, 'It has no end date; you can change or revoke it at any time.'],
    [
      'a right',
      { rights: { ...SMALL.rights, readCredentials: true } },
      'It may also read your decrypted venue credentials. It may not manage trade accounts, set accounts up at venues (withdrawals included), change leverage or assign what you traded elsewhere, nor resume trading that you paused.',
    ],
  ];
  for (const [what, over, sentence] of CHANGED) {
    it(`say ${what}`, () => expect(said(over)).to.include(sentence));
  }

  it('of one that closes out say so', () => {
    // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
    const lossStop = { usd: '50', then: 'SUSPEND_AND_CLOSE' };
    expect(said({ lossStop })).to.include(
      'It can lose at most about 50\u00a0USD a day before it is stopped, and its positions are closed.',
    );
  });

  it('of one that only looks name no limit', () => {
    const [first, ...rest] = mandateSentences(presetMandate('look_only', [], NOW), ACCOUNTS);
    expect(first).to.equal('It only looks: it may not order anything.');
    expect(rest).to.have.length(1);
  });

  it('over all agents', () => {
    expect(houseSentences(NO_HOUSE_LIMITS)).to.deep.equal(['No limit binds all of them together.']);
    expect(houseSentences({ ...NO_HOUSE_LIMITS, lossUsd24h: '1500', maxPositions: 2 })).to.deep.equal([
      'They may hold at most 2 positions.',
      'They can lose at most about 1,500\u00a0USD a day before all of them are stopped.',
    ]);
  });
});
