/** No secret gets into a log, in whatever form it stands there; what people need to read stays. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor } from '../../../../gateway/venues/live/kit/redact.ts';
import { forAll } from '../../../support/property-runs.ts';

const KEY = `0x${'a1b2c3d4'.repeat(8)}`;
const GONE = '[redacted]';

describe('kit: redact', () => {
  describe('what is known', () => {
    const secret = 'pass word/+"x"';
    const forms: Record<string, string> = {
      'as it is': secret,
      'percent-encoded': encodeURIComponent(secret),
      'in JSON': JSON.stringify({ note: secret }),
    };
    for (const [form, text] of Object.entries(forms))
      it(`is taken out ${form}`, () => {
        const redactor = createRedactor();
        redactor.learn(secret);
        const out = redactor.text(`before ${text} after`);
        expect(out).to.match(/^before .*\[redacted\].* after$/);
        expect(out).not.to.contain('word');
      });

    it('hex is taken out with and without 0x, in either case', () => {
      const redactor = createRedactor();
      // Shorter than what looks like a key by itself.
      redactor.learn('0xA1b2C3d4');
      for (const form of ['0xA1b2C3d4', 'a1b2c3d4', 'A1B2C3D4'])
        expect(redactor.text(`say ${form}!`)).to.equal(`say ${GONE}!`);
    });

    it('of two secrets, one a part of the other, nothing is left', () => {
      const redactor = createRedactor();
      redactor.learn('secret');
      redactor.learn('secret-and-more');
      expect(redactor.text('a secret-and-more b')).to.equal(`a ${GONE} b`);
    });

    it('what is forgotten is a word like others again', () => {
      const redactor = createRedactor();
      redactor.learn('sesame');
      redactor.forget('sesame');
      expect(redactor.text('open sesame')).to.equal('open sesame');
    });

    it('is gone wherever it stands', () =>
      forAll([fc.string({ minLength: 8, maxLength: 30 }), fc.string(), fc.string()], (secret, a, b) => {
        fc.pre(!GONE.includes(secret));
        const redactor = createRedactor();
        redactor.learn(secret);
        expect(redactor.text(`${a}${secret}${b}`)).not.to.contain(secret);
      }));
  });

  describe('what stands under the name of a secret', () => {
    const lines: readonly (readonly [string, string])[] = [
      ['{"signature":"abc def"}', `{"signature":"${GONE}"}`],
      ['{\\"apiKey\\":\\"k1\\",\\"x\\":1}', `{\\"apiKey\\":\\"${GONE}\\",\\"x\\":1}`],
      ['X-MBX-APIKEY: k1', `X-MBX-APIKEY: ${GONE}`],
      ['/order?symbol=BTC&signature=k1&x=2', `/order?symbol=BTC&signature=${GONE}&x=2`],
      ['listenKey=k1', `listenKey=${GONE}`],
      ['Authorization: Bearer k1.k2', 'Authorization: '],
    ];
    for (const [line, start] of lines)
      it(line, () => {
        const out = createRedactor().text(line);
        expect(out.startsWith(start), out).to.equal(true);
        expect(out).not.to.match(/k1|abc/);
      });

    it('says still that there is none', () => {
      expect(createRedactor().text('{"signature":null}')).to.equal('{"signature":null}');
    });
  });

  describe('what looks like a secret', () => {
    for (const [what, secret] of Object.entries({
      'a private key': KEY,
      'half of a signature without 0x': KEY.slice(2),
      'a token of letters and digits': 'AbCdEf0123456789'.repeat(3),
      'base64 of 32 bytes': `${'qL9/x+'.repeat(7)}x=`,
    }))
      it(`${what} is taken out`, () => {
        expect(createRedactor().text(`it said ${secret} then`)).to.equal(`it said ${GONE} then`);
      });

    for (const word of [
      'Insufficient margin to place order. asset=3',
      '0x5e9ee1089755c3435139848e47e6635505d5a13a',
      'user=0x5e9ee1089755c3435139848e47e6635505d5a13a&type=x',
      '0x1234567890abcdef1234567890abcdef',
      'BTC-PERP 0.00000001 1700000000000',
      'orders/that/have/long/paths/like/this/one/with/many/parts',
    ])
      it(`${word} stays`, () => {
        expect(createRedactor().text(word)).to.equal(word);
      });
  });

  describe('plain data', () => {
    it('is copied without its secrets, in whatever depth', () => {
      const told = {
        user: 'me',
        privateKey: KEY,
        headers: { 'OK-ACCESS-SIGN': 'k1', accept: 'json' },
        list: [{ token: 'k2', has: { token: true } }],
        map: new Map([['secret', 'k3']]),
        bytes: Buffer.from('k4'),
        none: { apiKey: null },
      };
      expect(createRedactor().value(told)).to.deep.equal({
        user: 'me',
        privateKey: GONE,
        headers: { 'OK-ACCESS-SIGN': GONE, accept: 'json' },
        list: [{ token: GONE, has: { token: true } }],
        map: { secret: GONE },
        bytes: GONE,
        none: { apiKey: null },
      });
      expect(told.privateKey).to.equal(KEY);
    });

    it('errors lose them from message, stack and cause', () => {
      const error = new Error(`refused ${KEY}`, { cause: new Error(`signed ${KEY}`) });
      const text = JSON.stringify(createRedactor().value(error));
      expect(text).to.contain('refused').and.to.contain('signed');
      expect(text).not.to.contain(KEY.slice(2));
    });

    it('what goes round in a circle ends', () => {
      const circle: Record<string, unknown> = { key: 'value' };
      circle['self'] = circle;
      expect(JSON.stringify(createRedactor().value(circle))).to.contain(GONE);
    });
  });
});
