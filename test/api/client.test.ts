/** The client library against a real gateway: calls and their errors, lists, the three ways of signing in. */
import { expect } from 'chai';
import {
  type Answer,
  createClient,
  deriveBasketKey,
  Forbidden,
  NoAnswer,
  NotSupported,
  type PagedRoute,
  Refusal,
  type Request,
  ResourceNotFound,
  type RouteName,
  type Row,
  signIn,
  TandemError,
  Unauthorized,
  UnexpectedAnswer,
  ValidationFailed,
} from '../../gateway/client/client.ts';
import { checkAgainstContract } from '../../gateway/client/contract-check.ts';
import { refusalOf } from '../../gateway/client/errors.ts';
import { BUSINESS_STATUS } from '../../gateway/contract/error-codes.ts';
import { CONTRACT_ROUTES } from '../support/contract-routes.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { lossyNetwork } from '../support/lossy-network.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';

/** Returns the error that `promise` rejects with. Throws if it does not reject. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}

describe('the client library', () => {
  const gateway = openForSuite(() => startTestGateway({ clock }));
  const bot = traderForSuite(gateway);
  const client = openForSuite(() =>
    createClient({
      url: gateway.url,
      apiKey: bot.key,
      tradeAccountId: bot.accountId,
      checkAnswer: checkAgainstContract,
    }),
  );
  const clock = createFakeClock();

  it('opens a basket, waits for its end, reads and closes the position', async () => {
    const opening = await client.place('POST /trade/open', { body: { type: 'MARKET', legs: [...PAIR] } });
    expect(opening.intent).to.equal('OPEN');
    const execution = await client.ended(opening.execution.id);
    expect(execution.status).to.equal('COMPLETED');
    expect(execution.basketKey).to.equal(deriveBasketKey(['BTC-PERP'], ['ETH-PERP']));
    const params = { id: execution.positionId ?? '' };
    const position = await client.call('GET /positions/{id}', { params });
    expect(position.legs.map((leg) => leg.symbol)).to.have.members(['BTC-PERP', 'ETH-PERP']);
    const closing = await client.place('POST /positions/{id}/close', { params, body: { type: 'MARKET' } });
    expect((await client.ended(closing.execution.id)).status).to.equal('COMPLETED');
    expect((await client.call('GET /positions/{id}', { params })).status).to.equal('CLOSED');
  });

  it('has no result for an answer without a body', async () => {
    const spare = await client.call('POST /trade-accounts', { body: { alias: 'Spare', connector: 'paper' } });
    const removed = await client.call('DELETE /trade-accounts/{id}', { params: { id: spare.id } });
    expect(removed).to.equal(undefined);
  });

  it('is typed by the contract: names, bodies, answers and rows', async () => {
    type IsAny<T> = 0 extends 1 & T ? true : false;
    // Each line compiles only while the type is what it says.
    const unknownRoute: 'GET /nothing' extends RouteName ? true : false = false;
    const answer: IsAny<Answer<'GET /positions/{id}'>> = false;
    const body: 'MARKET' extends Request<'POST /trade/open'>['body']['type'] ? true : false = true;
    const params: { id: string } extends Request<'GET /executions/{id}'>['params'] ? true : false = true;
    const cursorLess: 'GET /auth/me' extends PagedRoute ? true : false = false;
    const row: Row<'GET /fills'>['price'] extends string ? true : false = true;
    expect([unknownRoute, answer, body, params, cursorLess, row]).to.deep.equal([
      false,
      false,
      true,
      true,
      false,
      true,
    ]);
    const document = (await gateway.request('GET', '/openapi.json')).json;
    const served = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...CONTRACT_ROUTES.keys()].sort()).to.deep.equal(served.sort());
  });

  describe('errors', () => {
    it('every business code of the contract has a class', () => {
      for (const [errorCode, status] of Object.entries(BUSINESS_STATUS)) {
        const refusal = refusalOf(status, { message: 'no', errorCode, details: {}, timestamp: '' });
        expect(refusal).to.be.instanceOf(Refusal);
        expect(refusal.constructor, errorCode).to.not.equal(Refusal);
        expect({ ...refusal }).to.include({ status, errorCode });
      }
    });

    it('a rejected body is a ValidationFailed with its fields', async () => {
      const error = await rejection(
        client.call('PUT /leverage', { body: { symbol: 'BTC-PERP', leverage: 0, marginMode: 'cross' } }),
      );
      expect(error).to.be.instanceOf(ValidationFailed);
      const { status, errorCode, fields } = error as ValidationFailed;
      expect({ status, errorCode }).to.deep.equal({ status: 400, errorCode: 'VALIDATION_ERROR' });
      expect(fields.map((field) => field.path)).to.deep.equal(['leverage']);
      // A program that logs only the message still sees what is wrong.
      expect((error as Error).message).to.equal(`Validation error: leverage: ${fields[0]?.message}`);
    });

    it('a ticker in the place of an instrument’s id is told from it', async () => {
      const error = await rejection(
        client.call('PUT /leverage', { body: { symbol: 'eth', leverage: 2, marginMode: 'cross' } }),
      );
      expect((error as Error).message).to.equal(
        'Validation error: symbol: Not an instrument of connector paper: did you mean ETH-PERP?',
      );
    });

    it('without a key it says what to give', async () => {
      const error = await rejection(createClient({ url: gateway.url }).call('GET /trade-accounts'));
      expect(error).to.be.instanceOf(Unauthorized);
      expect((error as Error).message).to.match(/^No API key: make one with `tandem keys create`/);
    });

    it('what does not exist is a ResourceNotFound, what no venue does a NotSupported', async () => {
      const params = { id: NOBODY };
      expect(await rejection(client.call('GET /executions/{id}', { params }))).to.be.instanceOf(
        ResourceNotFound,
      );
      const address = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';
      const deposits = client.call('GET /misc/exchange/uda/{walletAddress}', {
        params: { walletAddress: address },
      });
      expect(await rejection(deposits)).to.be.instanceOf(NotSupported);
    });

    it('an unknown key is Unauthorized, a key on a session route Forbidden', async () => {
      const stranger = createClient({ url: gateway.url, apiKey: 'tdm_unknown' });
      const refused = await rejection(stranger.call('GET /trade-accounts'));
      expect(refused).to.be.instanceOf(Unauthorized);
      expect((refused as Unauthorized).message).to.equal('Invalid API key');
      expect(await rejection(client.call('GET /api-keys'))).to.be.instanceOf(Forbidden);
    });

    it('no gateway, or none that answers in time, is NoAnswer', async () => {
      const gone = await startTestGateway();
      await gone.close();
      expect(await rejection(createClient({ url: gone.url }).call('GET /health'))).to.be.instanceOf(NoAnswer);
      const network = lossyNetwork();
      network.lose(/health/, 'silence');
      const patient = createClient({ url: gateway.url, fetch: network.fetch, timeoutMs: 50 });
      expect(await rejection(patient.call('GET /health'))).to.be.instanceOf(NoAnswer);
    });

    it("the caller's own signal ends a call with its own reason", async () => {
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      expect(await rejection(client.call('GET /health', { signal }))).to.equal(reason);
    });

    it('an answer that is not of this contract is refused by the contract check only', async () => {
      const strange: typeof fetch = async () => Response.json({ status: 'fine' });
      const url = gateway.url;
      const answer: unknown = await createClient({ url, fetch: strange }).call('GET /health');
      expect(answer).to.deep.equal({ status: 'fine' });
      const checked = createClient({ url, fetch: strange, checkAnswer: checkAgainstContract });
      expect(await rejection(checked.call('GET /health'))).to.be.instanceOf(UnexpectedAnswer);
      const page: typeof fetch = async () => new Response('<html>');
      expect(await rejection(createClient({ url, fetch: page }).call('GET /health'))).to.be.instanceOf(
        UnexpectedAnswer,
      );
    });

    it('two ways of signing in at once, and a missing path parameter, are mistakes of the caller', async () => {
      expect(() => createClient({ apiKey: 'tdm_x', cookie: true })).to.throw(TandemError);
      for (const id of ['', '.', '..']) {
        const elsewhere = client.call('GET /executions/{id}', { params: { id } });
        expect(await rejection(elsewhere), id)
          .to.be.instanceOf(TandemError)
          .and.not.instanceOf(Refusal);
      }
    });
  });

  describe('lists', () => {
    before(async () => {
      for (const ticker of ['SOL', 'AVAX', 'LINK', 'DOGE', 'XRP'])
        await bot.open([usd(ticker, 'BUY', '100')]);
    });

    it('rows come once each, in the order of the list, whatever the page size', async () => {
      const whole = await client.call('GET /executions', { query: { limit: 2000 } });
      const ids = whole.executions.map(({ id }) => id);
      expect(ids).to.have.length.greaterThan(5);
      for (const limit of [1, 2, ids.length, 2000]) {
        const walked: string[] = [];
        for await (const { id } of client.rows('GET /executions', { query: { limit } })) walked.push(id);
        expect(walked, `limit ${limit}`).to.deep.equal(ids);
      }
    });

    it('pages end where `nextCursor` does, and leaving the loop asks for no more', async () => {
      const network = lossyNetwork();
      const watched = createClient({
        url: gateway.url,
        apiKey: bot.key,
        tradeAccountId: bot.accountId,
        fetch: network.fetch,
      });
      let pages = 0;
      for await (const page of watched.pages('GET /fills', { query: { limit: 1, orderBy: 'timestamp' } })) {
        expect(page.fills).to.have.length(1);
        pages += 1;
        if (pages === 3) break;
      }
      expect(network.requests).to.deep.equal(['GET /fills', 'GET /fills', 'GET /fills']);
    });

    it('queries are written as they are meant: booleans, numbers, arrays', async () => {
      const { executions } = await client.call('GET /executions', {
        query: { includeSchedule: true, status: ['CANCELLED', 'ACTIVE'], limit: 3 },
      });
      expect(executions).to.deep.equal([]);
      const other = await client
        .onAccount(NOBODY)
        .call('GET /executions')
        .catch((error: unknown) => error);
      expect(other, 'another account, named once for all').to.be.instanceOf(ResourceNotFound);
    });
  });

  describe('session mode', () => {
    const login = () =>
      signIn({ method: 'email', email: 'ada@example.test', password: PASSWORD }, { url: gateway.url });
    const QUARTER_MS = 16 * 60 * 1_000;

    it('renews an expired access token once for all requests that it fails, and keeps the new pair', async () => {
      const network = lossyNetwork();
      const kept: string[] = [];
      const session = await login();
      const signedIn = createClient({
        url: gateway.url,
        session,
        onTokens: ({ refreshToken }) => void kept.push(refreshToken),
        fetch: network.fetch,
      });
      expect((await signedIn.call('GET /auth/me')).email).to.equal('ada@example.test');
      clock.leap(QUARTER_MS);
      const calls = [1, 2, 3, 4].map(() => signedIn.call('GET /auth/me'));
      for (const { email } of await Promise.all(calls)) expect(email).to.equal('ada@example.test');
      const refreshes = () => network.requests.filter((name) => name.includes('/refresh')).length;
      expect(refreshes()).to.equal(1);
      expect(kept).to.have.length(1).and.not.include(session.refreshToken);
      clock.leap(QUARTER_MS);
      await signedIn.call('GET /auth/me');
      expect(refreshes()).to.equal(2);
    });

    it('is Unauthorized after one attempt when the session has ended', async () => {
      const network = lossyNetwork();
      const session = await login();
      const signedIn = createClient({ url: gateway.url, session, fetch: network.fetch });
      await signedIn.call('POST /auth/logout');
      expect(await rejection(signedIn.call('GET /auth/me'))).to.be.instanceOf(Unauthorized);
      expect(network.requests).to.deep.equal([
        'POST /auth/logout',
        'GET /auth/me',
        'POST /auth/session/refresh',
      ]);
    });

    it('hears the events of the account, also when the access token has expired', async () => {
      const session = await login();
      const signedIn = createClient({ url: gateway.url, session, tradeAccountId: bot.accountId });
      clock.leap(QUARTER_MS);
      // The venue's next prices: those of before are too old to trade at.
      await clock.advance(2_000);
      const heard: string[] = [];
      for await (const message of signedIn.events({ channels: [signedIn.accountChannel] })) {
        heard.push(message.kind === 'event' ? message.event : message.kind);
        if (message.kind === 'subscribed')
          await signedIn.place('POST /trade/open', {
            body: { type: 'MARKET', legs: [usd('SOL', 'BUY', '50')] },
          });
        if (heard.at(-1)?.startsWith('execution.')) break;
      }
      expect(heard[0]).to.equal('subscribed');
      expect(heard.at(-1)).to.equal('execution.completed');
    });
  });
});
