/** Waiting time of the client library for an answer, against a server that answers late or never. */
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { createClient, NoAnswer, type TandemClient } from '../../../gateway/client/client.ts';
import { listenLocally } from '../../support/local-port.ts';

const TIME_LIMIT_MS = 100;

describe('the patience of the client library', () => {
  let server: Server;
  let client: TandemClient;
  /** Sends the answer to a check, when another call has reached the time limit of the client. */
  let answerCheck: () => void = () => undefined;

  before(async () => {
    server = createServer((request, response) => {
      if (request.method === 'POST') answerCheck = () => response.end('{"steps":[]}');
      else response.once('close', () => answerCheck());
    });
    const port = await listenLocally(server);
    client = createClient({ url: `http://127.0.0.1:${port}`, timeoutMs: TIME_LIMIT_MS });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const check = (timeoutMs?: number) =>
    client.call('POST /connectors/{id}/check', {
      params: { id: 'hyperliquid' },
      body: {},
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );

  it('ends at the time limit of the client', async () => {
    expect(await failure(client.call('GET /version'))).to.be.instanceOf(NoAnswer);
  });

  it('is longer where the gateway waits for a live venue', async () => {
    const answered = check();
    expect(await failure(client.call('GET /version'))).to.be.instanceOf(NoAnswer);
    expect(await answered).to.deep.equal({ steps: [] });
  });

  it('is what a call asks for, whatever it waits for', async () => {
    expect(await failure(check(TIME_LIMIT_MS))).to.be.instanceOf(NoAnswer);
  });
});
