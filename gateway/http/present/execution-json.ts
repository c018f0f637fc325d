/**
 * `JSON.stringify(presentExecution(value, name))`, written out, because every acknowledgement makes this text: building
 * the objects and walking them costs five times as much. A test compares both texts.
 */
import type { Execution, Order } from '../../domain/model.ts';
import { isUntouched } from '../../domain/order.ts';
import type { NamePlaced } from './authority.ts';
import { presentOrder } from './execution.ts';
import { iso, isoOrNull } from './time.ts';

export function executionJson(value: Execution, name: NamePlaced): string {
  let orders = '';
  for (const order of value.orders) orders += orders === '' ? orderJson(order) : `,${orderJson(order)}`;
  const authority = name(value);
  return (
    `{"id":"${value.id}","connector":${text(value.connector)},"tradeAccountId":"${value.tradeAccountId}",` +
    `"basketKey":"${value.basketKey}","type":"${value.type}","origin":"${value.origin}","intent":"${value.intent}",` +
    `"status":"${value.status}","error":${text(value.error)},"errorCode":${text(value.errorCode)},` +
    `"onLegFailure":"${value.onLegFailure}","slippage":"${value.slippage}","orders":[${orders}],` +
    `"positionId":${text(value.positionId)},"clientId":${text(value.clientId)},"parentId":${text(value.parentId)},` +
    `"authority":{"kind":"${authority.kind}","name":${text(authority.name)}},"createdAt":"${iso(value.createdAt)}",` +
    `"activeAt":${text(isoOrNull(value.activeAt))},"finishedAt":${text(isoOrNull(value.finishedAt))},` +
    `"updatedAt":"${iso(value.updatedAt)}"}`
  );
}

/** Fields between the amount and the times of an order that was only accepted, as in nearly every acknowledgement. */
const UNTOUCHED =
  '"status":"PENDING","quantity":null,"filledQuantity":"0","averagePrice":null,"limitPrice":null,"reduceOnly":false,' +
  '"attempt":0,"clientOrderId":null,"venueOrderId":null,"error":null,"errorCode":null';

function orderJson(order: Order): string {
  if (!isUntouched(order, order.createdAt)) return JSON.stringify(presentOrder(order));
  const at = iso(order.createdAt);
  return `{"id":"${order.id}","symbol":${text(order.symbol)},"side":"${order.side}","mode":"${order.mode}","amount":"${order.amount}",${UNTOUCHED},"createdAt":"${at}","updatedAt":"${at}"}`;
}

function text(value: string | null): string {
  return value === null ? 'null' : JSON.stringify(value);
}
