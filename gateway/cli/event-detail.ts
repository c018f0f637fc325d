/** Subject of an account's event, in words. Events name an id; its state is read over HTTP afterwards. */
import type { ChannelMessage } from '../client/stream-messages.ts';
import { read } from './answers.ts';
import type { GatewayApi } from './gateway-api.ts';
import { basketName } from './open-position.ts';
import { price, quantity, signedUsd, usd } from './readable-numbers.ts';
import { waitsFor } from './resting.ts';

type Api = Pick<GatewayApi, 'call'>;

/** Symbol, side, quantity and price of what changed; empty where it cannot be read. */
export async function eventDetail(api: Api, event: string, id: string): Promise<string> {
  try {
    if (event.startsWith('order.')) return await orderWords(api, id);
    if (event.startsWith('execution.')) return await executionWords(api, id);
    if (event.startsWith('position.')) return await positionWords(api, id);
    if (event.startsWith('alert.')) return await alertWords(api, id);
    if (event.startsWith('trigger.')) return await triggerWords(api, id);
  } catch {
    // The event itself is shown; a detail that cannot be read (removed, gateway gone) is left out.
  }
  return '';
}

async function orderWords({ call }: Api, id: string): Promise<string> {
  const order = read('GET /orders/{id}', await call('GET /orders/{id}', { params: { id } }));
  const of = order.quantity === null ? '' : ` of ${quantity(order.quantity)}`;
  const at = order.averagePrice ? ` at ${price(order.averagePrice)}` : '';
  return `${order.symbol} ${order.side.toLowerCase()} ${quantity(order.filledQuantity)}${of}${at} ${order.status}`;
}

async function executionWords({ call }: Api, id: string): Promise<string> {
  const { execution } = read('GET /executions/{id}', await call('GET /executions/{id}', { params: { id } }));
  const orders = execution.orders.map(
    ({ side, symbol, filledQuantity, averagePrice }) =>
      `${symbol} ${side.toLowerCase()} ${quantity(filledQuantity)}${averagePrice ? ` at ${price(averagePrice)}` : ''}`,
  );
  const problem = execution.errorCode ? ` ${execution.errorCode}` : '';
  return `${execution.intent} ${execution.status}${problem}: ${orders.join(', ')}`;
}

async function positionWords({ call }: Api, id: string): Promise<string> {
  const position = read('GET /positions/{id}', await call('GET /positions/{id}', { params: { id } }));
  const { status, grossNotional, netPnl } = position;
  const net = `net ${signedUsd(netPnl)} after fees and funding`;
  return status === 'CLOSED'
    ? `${basketName(position)} CLOSED, ${net}`
    : `${basketName(position)} ${status}, gross ${usd(grossNotional)}, ${net}`;
}

async function triggerWords({ call }: Api, id: string): Promise<string> {
  const trigger = read('GET /triggers/{id}', await call('GET /triggers/{id}', { params: { id } }));
  const problem = trigger.error ? `: ${trigger.error}` : '';
  return `${trigger.kind.toLowerCase()} ${basketName(trigger)} ${waitsFor(trigger)} ${trigger.status}${problem}`;
}

async function alertWords({ call }: Api, id: string): Promise<string> {
  const { condition, status } = read('GET /alerts/{id}', await call('GET /alerts/{id}', { params: { id } }));
  return `${waitsFor({ condition, bracket: null, bracketType: null })} ${status}`;
}

/** One line for each row of a public channel, and where there is none, one that says so. */
export function rowLines({ channel, data }: ChannelMessage): string[] {
  if (data === undefined || 'entityId' in data) return [channel];
  const lines = data.map((row) => {
    const text = (name: string) => (typeof row[name] === 'string' ? row[name] : '');
    const name = text('symbol') || text('id');
    if (channel.startsWith('prices:'))
      return `${name} mark ${price(text('mark'))} bid ${price(text('bid'))} ask ${price(text('ask'))}`;
    if (channel.startsWith('funding:')) return `${name} rate ${text('rate')} next ${text('nextFundingTime')}`;
    if (channel === 'status')
      return `${text('id')} ${text('status')}${text('reason') ? `: ${text('reason')}` : ''}`;
    return `${name} price ${price(text('price'))}`;
  });
  return lines.map((line) => `${channel}  ${line}`);
}
