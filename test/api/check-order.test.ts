/** A request with several faults is answered by the check that comes first, always the same one. */
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { gatewayForSuite } from '../support/gateway.ts';
import { trader, traderForSuite, usd } from '../support/trader.ts';

describe('the order of the checks, on POST /positions/{id}/close', () => {
  interface Draft {
    readonly headers: Record<string, string>;
    positionId: string;
    body: string;
  }
  interface Fault {
    /** Faults of one stage are not ordered among themselves. */
    readonly stage: number;
    readonly name: string;
    readonly spoil: (draft: Draft) => unknown;
    readonly status: number;
    readonly message: string;
  }
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  let closedId: string;
  let openId: string;
  let foreignAccount: string;
  let readKey: string;

  before(async () => {
    closedId = (await bot.open([usd('DOGE', 'BUY', '100')])).positionId;
    await bot.execute(`/positions/${closedId}/close`, { type: 'MARKET' });
    openId = (await bot.open([usd('DOGE', 'BUY', '100')])).positionId;
    const other = await trader(gateway, { email: 'eve@example.test', connector: 'paper' });
    foreignAccount = other.accountId;
    const made = await gateway.request('POST', '/api-keys', {
      headers: { authorization: `Bearer ${bot.accessToken}` },
      body: { label: 'test', scope: 'read' },
    });
    readKey = made.json.key;
  });

  const header = (name: string, value: () => string) => (draft: Draft) => {
    draft.headers[name] = value();
  };
  const body = (value: () => string) => (draft: Draft) => {
    draft.body = value();
  };
  const positionId = (value: () => string) => (draft: Draft) => {
    draft.positionId = value();
  };
  const ROWS: readonly (readonly [number, string, Fault['spoil'], number, string])[] = [
    [0, 'foreign host', header('host', () => 'evil.example'), 421, 'This host is not served here'],
    [
      0,
      'foreign origin',
      header('origin', () => 'http://evil.example'),
      403,
      'Requests from this origin are not accepted',
    ],
    [
      1,
      'body that is not JSON by its type',
      header('content-type', () => 'text/plain'),
      415,
      'Content-Type must be application/json',
    ],
    [
      1,
      'body of 2 MiB',
      body(() => JSON.stringify('x'.repeat(2 * 1024 * 1024))),
      413,
      'Request body is larger than 1048576 bytes',
    ],
    [1, 'broken JSON', body(() => '{"type":'), 400, 'Validation error'],
    [2, 'unknown key', header('x-api-key', () => 'tdm_unknown'), 401, 'Invalid API key'],
    [3, 'read-only key', header('x-api-key', () => readKey), 403, 'API key does not have write access'],
    [
      4,
      'no account header',
      (draft) => delete draft.headers['x-trade-account-id'],
      400,
      'Missing required header: x-trade-account-id',
    ],
    [
      4,
      'account header that is no UUID',
      header('x-trade-account-id', () => 'main'),
      400,
      'x-trade-account-id must be a UUID',
    ],
    [
      5,
      "another user's account",
      header('x-trade-account-id', () => foreignAccount),
      404,
      'Trade account not found',
    ],
    [
      6,
      'unknown body field',
      body(() => JSON.stringify({ type: 'MARKET', all: true })),
      400,
      'Validation error',
    ],
    [6, 'path id that is too long', positionId(() => 'x'.repeat(65)), 400, 'Validation error'],
    [
      7,
      'position that does not exist',
      positionId(() => '018f0000-0000-7000-8000-000000000000'),
      404,
      'Position not found',
    ],
    [8, 'position that is closed', positionId(() => closedId), 409, 'The position is already closed'],
  ];
  const FAULTS = ROWS.map(([stage, name, spoil, status, message]) => ({
    stage,
    name,
    spoil,
    status,
    message,
  }));

  /** Later faults are put in first, so that of two that touch one part the earlier check's fault stays. */
  function send(faults: readonly Fault[]): Promise<{ status: number; message: string }> {
    const draft: Draft = {
      headers: {
        'content-type': 'application/json',
        'x-api-key': bot.key,
        'x-trade-account-id': bot.accountId,
      },
      positionId: openId,
      body: JSON.stringify({ type: 'MARKET' }),
    };
    for (const fault of faults.toSorted((a, b) => b.stage - a.stage)) fault.spoil(draft);
    return new Promise((resolve, reject) => {
      const req = httpRequest({
        host: '127.0.0.1',
        port: gateway.port,
        method: 'POST',
        path: `/positions/${draft.positionId}/close`,
        headers: { ...draft.headers, 'content-length': Buffer.byteLength(draft.body) },
      });
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          const { message } = JSON.parse(Buffer.concat(chunks).toString());
          resolve({ status: res.statusCode ?? 0, message });
        });
      });
      req.on('error', reject);
      req.end(draft.body);
    });
  }

  for (const first of FAULTS) {
    it(`${first.name} wins over everything that is checked after it`, async () => {
      const expected = { status: first.status, message: first.message };
      expect(await send([first]), 'alone').to.deep.equal(expected);
      const later = FAULTS.filter((fault) => fault.stage > first.stage);
      for (const second of later)
        expect(await send([first, second]), `with ${second.name}`).to.deep.equal(expected);
      expect(await send([first, ...later]), 'with all of them').to.deep.equal(expected);
    });
  }

  it('none of them closed the position', async () => {
    expect((await bot.call('GET', `/positions/${openId}`)).json.status).to.equal('OPEN');
  });
});
