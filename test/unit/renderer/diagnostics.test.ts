import { expect } from 'chai';
import { deviceName, diagnosticsText } from '../../../renderer/screens/settings/diagnostics.ts';

describe('diagnostics', () => {
  const ID = '0b51b8a4-6a7e-4c5e-9a51-0d3f3a0c7b11';
  const SECRETS = [
    ID,
    'ada@example.test',
    `0x${'a1'.repeat(20)}`,
    'tdm_abcDEF-123',
    '/home/ada/data',
    '25000',
    'BTC-PERP',
  ];
  const text = diagnosticsText({
    at: Date.UTC(2026, 0, 31),
    version: { name: 'tandem-gateway', version: '1.2.3', apiVersion: '1', uptimeMs: 1 },
    ready: {
      ready: false,
      checks: [
        { name: 'storage', ok: false, detail: 'no space on /home/ada/data' },
        { name: 'reconciliation', ok: false, detail: 'BTC-PERP: baskets 3, venue 4' },
      ],
    },
    connectors: [],
    accounts: [{ connector: 'paper', mode: 'PAPER', status: 'READY' }],
    calls: [
      {
        number: 1,
        at: Date.UTC(2026, 0, 31),
        method: 'POST',
        path: `/positions/${ID}/close?search=ada@example.test`,
        headers: { 'x-trade-account-id': ID },
        body: '{"amount":"25000"}',
        status: 409,
        milliseconds: 3,
        requestId: 'req-7',
        isGivenUp: false,
        failure: `RESOURCE_BUSY: ${ID} of ada@example.test and 0x${'a1'.repeat(20)} with tdm_abcDEF-123`,
      },
    ],
    settings: {
      theme: 'dark',
      density: 'compact',
      zone: 'utc',
      locale: 'auto',
      confirm: { orders: true, closing: true, cancelling: true },
      limits: { largestOrderUsd: '25000', highestLeverage: null },
    },
    connection: 'live',
    browser: { userAgent: 'Test', language: 'en', width: 1280, height: 800 },
  });

  it('say what failed', () => {
    expect(text)
      .to.contain('1.2.3')
      .and.contain('req-7')
      .and.contain('RESOURCE_BUSY')
      .and.contain('0b51b8a4');
  });
  for (const secret of SECRETS)
    it(`do not say ${secret}`, () => {
      expect(text).to.not.contain(secret);
    });
});

describe('the name of a device', () => {
  const CASES: readonly (readonly [string | null, string])[] = [
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
      'Chrome 149 on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36 Edg/149.0.1',
      'Edge 149 on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0',
      'Firefox 150 on macOS',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36',
      'Chrome 150 on Linux',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari 18 on iOS',
    ],
    ['tandem-cli/0.1', 'tandem-cli/0.1'],
    [null, 'Unknown program'],
  ];
  for (const [agent, name] of CASES)
    it(`is ${name}`, () => {
      expect(deviceName(agent)).to.equal(name);
    });
});
