/** A basket that is pasted as text: what is written is what is built, or the part that is wrong is named. */
import { expect } from 'chai';
import {
  addLeg,
  type Basket,
  EMPTY_BASKET,
  linkOf,
  tradeLegs,
} from '../../../renderer/features/basket/basket.ts';
import { readBasketText } from '../../../renderer/features/basket-text/basket-text.ts';
import { isBasketText } from '../../../renderer/features/basket-text/is-basket-text.ts';

const LISTED = [
  ...['BTC', 'ETH', 'SOL', 'DOGE', 'kPEPE'].map((symbol) => ({ id: `${symbol}-PERP`, symbol })),
  { id: 'xyz:SOL', symbol: 'SOL' },
  { id: 'xyz:GOLD', symbol: 'GOLD' },
  { id: 'flx:GOLD', symbol: 'GOLD' },
];

const read = (text: string, side: 'BUY' | 'SELL' = 'BUY', present: Basket = EMPTY_BASKET) =>
  readBasketText(text, LISTED, side, present);

/** `+BTC-PERP 0.5 -ETH-PERP 0.3` */
function legs(text: string, ...more: [side?: 'BUY' | 'SELL', present?: Basket]): string {
  const found = read(text, ...more);
  if (!found.ok) throw new Error(found.message);
  return tradeLegs(found.basket)
    .map(({ symbol, side, amount }) => `${side === 'BUY' ? '+' : '-'}${symbol} ${amount}`)
    .join(' ');
}

const wrong = (text: string, ...more: [side?: 'BUY' | 'SELL', present?: Basket]): string => {
  const found = read(text, ...more);
  return found.ok ? 'taken' : found.message;
};

describe('basket as text', () => {
  it('takes weights by sign, by side and in percent, in any order and with any separator', () => {
    const three = '+BTC-PERP 0.5 -ETH-PERP 0.3 -SOL-PERP 0.2';
    for (const text of [
      'BTC 0.5, ETH -0.3, SOL -0.2',
      'btc 50%, eth −30 %, sol –20%',
      '0.5 BTC; -0.3 ETH; -0.2 SOL',
      'long BTC 50% short ETH 30% SOL 20%',
      'Long: BTC 50 %\nShort: ETH 30 %, SOL 20 %',
      '+BTC 0.5 -ETH 0.3 -SOL 0.2',
      'BTC:0.5 / ETH:0.3 SOL:0.2',
      'BTC,0.5\nETH,-0.3\nSOL,-0.2',
      'BTC-PERP\t0.5\nETH-PERP\t-0.3\nSOL-PERP\t-0.2',
      'BTC (50%) vs ETH (30%) + SOL (20%)',
    ])
      expect(legs(text), text).to.equal(three);
    expect(legs('long BTC 60% short ETH 40%')).to.equal('+BTC-PERP 0.6 -ETH-PERP 0.4');
  });

  it('takes sides after their legs, in words and in tables', () => {
    for (const text of [
      'BTC 60% long, ETH 40% short',
      'BTC long 60%, ETH short 40%',
      'BTC 60% long ETH 40% short',
      'BTC long 60% ETH short 40%',
      'BTC (long) 0.6; ETH (short) 0.4',
      'BTC,0.6,BUY\nETH,0.4,SELL',
      'BTC,BUY,0.6\r\nETH,SELL,0.4\r\n',
      'BUY,BTC,0.6\nSELL,ETH,0.4',
      'BTC\t0.6\tBUY\nETH\t0.4\tSELL',
      '| BTC | 60% | long |\n| ETH | 40% | short |',
      'BTC\n0.6\nBUY\nETH\n0.4\nSELL',
      'BTC 0.6 / ETH 0.4',
      'long BTC 0.6 / short ETH 0.4',
      'BTC 0.6 long / ETH 0.4 short',
    ])
      expect(legs(text), text).to.equal('+BTC-PERP 0.6 -ETH-PERP 0.4');
    for (const text of ['BTC long, ETH short', 'BTC - long\nETH - short', 'Long:\nBTC\nShort:\nETH'])
      expect(legs(text), text).to.equal('+BTC-PERP 0.5 -ETH-PERP 0.5');
    for (const text of ['ETH short', 'ETH sell', 'short ETH'])
      expect(legs(text, 'BUY'), text).to.equal('-ETH-PERP 1');
    expect(legs('short BTC, ETH')).to.equal('-BTC-PERP 0.5 -ETH-PERP 0.5');
    expect(legs('long BTC/ETH')).to.equal('+BTC-PERP 0.5 -ETH-PERP 0.5');
  });

  it('takes a list with bullets', () => {
    for (const text of [
      '- BTC 0.6\n- ETH -0.4',
      '– BTC 60%\n– ETH -40%',
      '• BTC 0.6\n• ETH -0.4',
      '* BTC 0.6\n* ETH -0.4',
      'Long:\n- BTC 0.6\nShort:\n- ETH 0.4',
      '- long BTC 0.6\n- short ETH 0.4',
      '- long BTC 0.6 short ETH 0.4',
    ])
      expect(legs(text), text).to.equal('+BTC-PERP 0.6 -ETH-PERP 0.4');
  });

  it('refuses sides and signs that can be read in two ways', () => {
    const pair = / does not go with “\/”: longs stand before it, shorts after it/;
    for (const [text, message] of [
      ['long BTC short', /^“short” belongs to no leg\.$/],
      ['BTC 0.5\nETH 0.5\nshort', /^“short” belongs to no leg\.$/],
      ['long short BTC', /^“long” belongs to no leg\.$/],
      ['BTC long short', /^“short” belongs to no leg\.$/],
      ['long BTC, ETH short', /^“short”: write each side before its legs, or each after its leg/],
      ['BTC long, short ETH', /^“short”: write each side before/],
      ['BTC short ETH', /^“ETH” has no side/],
      ['BTC ETH short', /^“BTC” has no side/],
      ['BTC, short ETH', /^“BTC” has no side/],
      ['BTC long, ETH', /^“ETH” has no side/],
      ['short BTC/ETH', pair],
      ['SELL BTC / ETH', pair],
      ['BTC/ETH short', pair],
      ['BTC/ETH long', pair],
      ['BTC short / ETH long', pair],
      ['BTC 0.5 vs ETH 0.5 SELL', pair],
      ['-BTC / ETH', /^“BTC” is long, but its sign is that of a short\.$/],
      ['BTC -0.5 / ETH 0.5', /^“BTC” is long, but its weight “-0.5” is below 0\.$/],
      ['long -BTC, short ETH', /^“BTC” is long, but its sign/],
      ['short +BTC', /^“BTC” is short, but its sign is that of a long\.$/],
      ['long BTC - ETH', /^“ETH” is long, but its sign/],
      ['BTC -0.5 long, ETH 0.5 short', /^“BTC” is long, but its weight/],
      ['-BTC +0.5, ETH 0.5', /^“BTC” is short, but its weight “\+0.5” is above 0\.$/],
      ['BTC - 60%, ETH - 40%', /^“- 60%”: is it a dash, or a minus\?/],
      ['BTC — 60%\nETH — 40%', /^“- 60%”: is it a dash/],
      ['BTC 0.5\n- ETH 0.5', /^“- ETH 0.5”: is the dash a bullet, or a short\?/],
      ['+ BTC 0.5\n- ETH 0.5', /^“- ETH 0.5”: is the dash/],
      ['- ETH', /^“- ETH”: is the dash/],
      ['BTC -', /^“-” belongs to no leg\.$/],
      ['BTC\n0.5 ETH 0.4', /^“0.4” belongs to no leg\.$/],
    ] as const)
      expect(wrong(text), text).to.match(message);
  });

  it('takes legs without weights: half for each side, until one is set', () => {
    for (const text of [
      'BTC/ETH',
      'BTC / ETH',
      '+BTC -ETH',
      'BTC - ETH',
      'long BTC short ETH',
      'buy btc, sell eth',
    ])
      expect(legs(text), text).to.equal('+BTC-PERP 0.5 -ETH-PERP 0.5');
    expect(legs('ETH/BTC+SOL')).to.equal('+ETH-PERP 0.5 -BTC-PERP 0.25 -SOL-PERP 0.25');
    expect(legs('BTC + SOL / ETH')).to.equal('+BTC-PERP 0.25 +SOL-PERP 0.25 -ETH-PERP 0.5');
    const found = read('BTC/ETH');
    expect(found.ok && found.basket.isWeighted).to.equal(false);
  });

  it('adds legs that have neither side nor weight to the field’s side, and replaces the basket by all else', () => {
    const present = addLeg(EMPTY_BASKET, 'BTC-PERP', 'BUY');
    expect(legs('ETH, SOL', 'SELL', present)).to.equal('+BTC-PERP 0.5 -ETH-PERP 0.25 -SOL-PERP 0.25');
    expect(legs('ETH 0.4 SOL 0.6', 'SELL', present)).to.equal('-ETH-PERP 0.4 -SOL-PERP 0.6');
    expect(legs('-ETH', 'BUY', present)).to.equal('-ETH-PERP 1');
    expect(wrong('BTC, ETH', 'SELL', present)).to.equal('“BTC” is in the basket already.');
  });

  it('scales weights that are no whole, and says so', () => {
    const found = read('BTC 2, ETH -1, SOL -1');
    expect(found.ok && found.note).to.match(/did not add up to 100 %/);
    expect(legs('BTC 2, ETH -1, SOL -1')).to.equal('+BTC-PERP 0.5 -ETH-PERP 0.25 -SOL-PERP 0.25');
    expect(legs('BTC $300 / ETH $100')).to.equal('+BTC-PERP 0.75 -ETH-PERP 0.25');
    const whole = read('BTC 50%, ETH -50%');
    expect(whole.ok && whole.note).to.equal(null);
    const percent = read('BTC 50, ETH -50');
    expect(percent.ok && percent.note, 'percent without its sign').to.equal(null);
    const dollars = read('BTC $50 / ETH $50');
    expect(dollars.ok && dollars.note).to.equal(
      'The dollars of the text were taken as proportions; the size is not set.',
    );
  });

  it('takes the legs of the API, of a saved basket, and of what it sends itself', () => {
    const order = [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'WEIGHT', amount: '0.7' },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'WEIGHT', amount: '0.3' },
    ];
    expect(legs(JSON.stringify(order))).to.equal('+BTC-PERP 0.7 -ETH-PERP 0.3');
    expect(legs(JSON.stringify({ legs: order, totalUsd: '100' }, null, 2))).to.equal(
      '+BTC-PERP 0.7 -ETH-PERP 0.3',
    );
    expect(legs('[{"symbol":"SOL-PERP","side":"BUY","weight":1}]')).to.equal('+SOL-PERP 1');
    const dollars = order.map((leg) => ({ ...leg, mode: 'USD', amount: '250' }));
    expect(legs(JSON.stringify(dollars))).to.equal('+BTC-PERP 0.5 -ETH-PERP 0.5');
    const found = read(JSON.stringify(dollars));
    expect(found.ok && found.note).to.match(/taken as proportions; the size is not set/);
    // An answer may have both: the id is then the instrument and the symbol its ticker.
    expect(legs('[{"id":"flx:GOLD","symbol":"GOLD","side":"SELL"}]')).to.equal('-flx:GOLD 1');
    for (const text of ['BTC 0.123456, ETH -0.876544', 'BTC 1, ETH 1, SOL -1']) {
      const found = read(text);
      if (!found.ok) throw new Error(found.message);
      const again = read(JSON.stringify(tradeLegs(found.basket)));
      expect(again.ok && linkOf(again.basket), text).to.deep.equal(linkOf(found.basket));
    }
  });

  it('names the part that is wrong', () => {
    for (const [text, message] of [
      ['BTC 0.5, XYZ -0.5', '“XYZ” is no instrument of this venue.'],
      ['BTC 0.5, ETH', '“ETH” has no weight: give one to each leg, or to none.'],
      ['BTC 0.5, BTC-PERP -0.5', '“BTC-PERP” stands there twice.'],
      ['BTC 0.5 0.3, ETH -0.2 0.1', '“0.3” belongs to no leg.'],
      ['BTC 0,5 ETH -0,5', '“0,5”: write weights with a point, and none with groups.'],
      ['BTC 60%, ETH -0.4', '“-0.4”: write all weights with a percent sign, or none of them.'],
      ['BTC 0, ETH -1', '“0”: a weight is above 0, or below it for a short.'],
      ['BTC / ETH / SOL', '“/” stands there twice: longs before it, shorts after it.'],
      ['long BTC -0.5 short ETH 0.5', '“BTC” is long, but its weight “-0.5” is below 0.'],
      ['GOLD / BTC', '“GOLD” is more than one instrument: write xyz:GOLD, flx:GOLD.'],
      ['long short', '“long” belongs to no leg.'],
      ['()', 'No leg in this text.'],
      ['[{"symbol":"BTC-PERP"', 'It begins like JSON, but is none.'],
      ['{"orders":[]}', 'The JSON has no “legs”.'],
      ['[{"symbol":"BTC-PERP","side":"UP"}]', '“legs[0].side” has to be BUY or SELL.'],
      [
        '[{"symbol":"BTC-PERP","side":"BUY","mode":"BASE","amount":"1"}]',
        '“legs[0].mode” is BASE: the basket takes shares or dollars, no quantities.',
      ],
      [
        '[{"symbol":"BTC-PERP","side":"BUY","mode":"WEIGHT","amount":"-1"}]',
        '“legs[0].amount” has to be a number above 0.',
      ],
    ] as const)
      expect(wrong(text), text).to.equal(message);
    const many = Array.from({ length: 21 }, (_, index) => ({ id: `T${index}`, symbol: `T${index}` }));
    const all = readBasketText(many.map(({ id }) => `+${id}`).join(' '), many, 'BUY', EMPTY_BASKET);
    expect(all.ok ? '' : all.message).to.equal('21 legs: a basket has twenty at most.');
  });

  it('leaves a search for one instrument alone', () => {
    for (const text of ['BTC', ' sol-perp ', 'xyz:GOLD', '1000PEPE'])
      expect(isBasketText(text), text).to.equal(false);
    for (const text of ['BTC 0.5', 'BTC/ETH', '-ETH', '+BTC', 'BTC,ETH', '[{}]', 'BTC\nETH'])
      expect(isBasketText(text), text).to.equal(true);
  });
});
