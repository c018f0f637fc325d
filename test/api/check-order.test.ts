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
    readonly spoil: (draft: Draft) => void;
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
    const closing = await bot.call('POST', `/positions/${closedId}/close`, { type: 'MARKET' });
    await bot.ended(closing.json.execution.id);
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
  const FAULTS: readonly Fault[] = [
    {
      stage: 0,
      name: 'foreign host',
      spoil: header('host', () => 'evil.example'),
      status: 421,
      message: 'This host is not served here',
    },
    {
      stage: 0,
      name: 'foreign origin',
      spoil: header('origin', () => 'http://evil.example'),
      status: 403,
      message: 'Requests from this origin are not accepted',
    },
    {
      stage: 1,
      name: 'body that is not JSON by its type',
      spoil: header('content-type', () => 'text/plain'),
      status: 415,
      message: 'Content-Type must be application/json',
    },
    {
      stage: 1,
      name: 'body of 2 MiB',
      spoil: (draft) => {
        draft.body = JSON.stringify('x'.repeat(2 * 1024 * 1024));
      },
      status: 413,
      message: 'Request body is larger than 1048576 bytes',
    },
    {
      stage: 1,
      name: 'broken JSON',
      spoil: (draft) => {
        draft.body = '{"type":';
      },
      status: 400,
      message: 'Validation error',
    },
    {
      stage: 2,
      name: 'unknown key',
      spoil: header('x-api-key', () => 'tdm_unknown'),
      status: 401,
      message: 'Invalid API key',
    },
    {
      stage: 3,
      name: 'read-only key',
      spoil: header('x-api-key', () => readKey),
      status: 403,
      message: 'API key does not have write access',
    },
    {
      stage: 4,
      name: 'no account header',
      spoil: (draft) => {
        delete draft.headers['x-trade-account-id'];
      },
      status: 400,
      message: 'Missing required header: x-trade-account-id',
    },
    {
      stage: 4,
      name: 'account header that is no UUID',
      spoil: header('x-trade-account-id', () => 'main'),
      status: 400,
      message: 'x-trade-account-id must be a UUID',
    },
    {
      stage: 5,
      name: "another user's account",
      spoil: header('x-trade-account-id', () => foreignAccount),
      status: 404,
      message: 'Trade account not found',
    },
    {
      stage: 6,
      name: 'unknown body field',
      spoil: (draft) => {
        draft.body = JSON.stringify({ type: 'MARKET', all: true });
      },
      status: 400,
      message: 'Validation error',
    },
    {
      stage: 6,
      name: 'path id that is too long',
      spoil: (draft) => {
        draft.positionId = 'x'.repeat(65);
      },
      status: 400,
      message: 'Validation error',
    },
    {
      stage: 7,
      name: 'position that does not exist',
      spoil: (draft) => {
        draft.positionId = '018f0000-0000-7000-8000-000000000000';
      },
      status: 404,
      message: 'Position not found',
    },
    {
      stage: 8,
      name: 'position that is closed',
      spoil: (draft) => {
        draft.positionId = closedId;
      },
      status: 409,
      message: 'The position is already closed',
    },
  ];

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
