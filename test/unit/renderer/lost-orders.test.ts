/** An order whose answer was lost: what a gateway that has begun since does not know was not placed. */
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { GatewayUnreachable, ResourceNotFound, type TandemClient } from '../../../gateway/client/client.ts';
import { sendOrder } from '../../../renderer/features/sent-orders/sent-orders.ts';

/** Emits `change` when the gateway was called, and when the tab has written something down. */
const changes = new EventEmitter();

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await once(changes, 'change');
}

/** A gateway that loses every order, and has no record of any. @param uptimeMs of the process that is asked */
function gatewayThatLost(uptimeMs: number) {
  const asked: string[] = [];
  const call = async (route: string) => {
    asked.push(route);
    changes.emit('change');
    if (route === 'GET /version') return { uptimeMs };
    if (route === 'GET /executions/by-key')
      throw new ResourceNotFound({
        status: 404,
        message: 'Execution not found',
        errorCode: 'RESOURCE_NOT_FOUND',
        details: {},
        requestId: null,
      });
    throw new GatewayUnreachable('connection reset');
  };
  return { client: { call } as unknown as TandemClient, asked };
}

const send = (client: TandemClient) =>
  sendOrder({
    client,
    accountId: 'a',
    route: 'POST /trade/open',
    title: 'BTC',
    request: { body: { type: 'MARKET', legs: [] } } as never,
  });

/** Orders that the tab writes down because nobody knows what became of them. */
const unresolved = (): readonly { readonly key: string }[] =>
  JSON.parse(sessionStorage.getItem('tandem.unresolved-orders') ?? '[]');

describe('an order whose answer was lost', () => {
  before(() => {
    const kept = new Map<string, string>();
    Object.defineProperty(globalThis, 'sessionStorage', {
      configurable: true,
      value: {
        getItem: (name: string) => kept.get(name) ?? null,
        setItem(name: string, value: string) {
          kept.set(name, value);
          changes.emit('change');
        },
      },
    });
  });
  after(() => {
    Reflect.deleteProperty(globalThis, 'sessionStorage');
  });

  it('is known not to be placed once a gateway that began later has no record of it', async () => {
    const { client, asked } = gatewayThatLost(0);
    const { key, state } = await send(client);
    expect(state).to.equal('UNKNOWN');
    await until(() => unresolved().every((one) => one.key !== key));
    // The age of the process comes before the question: an earlier one's answer proves nothing.
    expect(asked.slice(0, 3)).to.deep.equal(['POST /trade/open', 'GET /version', 'GET /executions/by-key']);
    expect(asked.filter((route) => route === 'POST /trade/open')).to.have.length(1);
    // Not for the minute for which an order is looked for that may still be on its way.
    expect(asked.filter((route) => route === 'GET /executions/by-key').length).to.be.at.most(2);
  });

  it('is looked for on at a gateway that may still receive it', async () => {
    const { client, asked } = gatewayThatLost(3_600_000);
    const { key } = await send(client);
    await until(() => {
      return asked.filter((route) => route === 'GET /executions/by-key').length >= 3;
    });
    expect(unresolved().some((one) => one.key === key)).to.equal(true);
  });
});
