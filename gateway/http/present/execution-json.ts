/**
 * `JSON.stringify(presentExecution(value, name))`, written out: this text is made for every acknowledgement, and making the
 * intermediate objects and walking them costs more than the text. That both are the same is a test.
 */
import type { Execution, Order } from '../../domain/model.ts';
import { isUntouched } from '../../domain/order.ts';
import type { NamePlaced } from './authority.ts';
import { iso } from './time.ts';

export function executionJson(value: Execution, name: NamePlaced): string {
  const { orders } = value;
  let list = '';
  for (let index = 0; index < orders.length; index += 1) {
    const order = orders[index];
    if (order !== undefined) list += index === 0 ? orderJson(order) : `,${orderJson(order)}`;
  }
  return `{"id":"${value.id}","connector":${JSON.stringify(value.connector)},"tradeAccountId":"${value.tradeAccountId}","basketKey":"${value.basketKey}","type":"${value.type}","origin":"${value.origin}","intent":"${value.intent}","status":"${value.status}","error":${nullable(value.error)},"errorCode":${nullable(value.errorCode)},"onLegFailure":"${value.onLegFailure}","slippage":"${value.slippage}","orders":[${list}],"positionId":${nullable(value.positionId)},"clientId":${nullable(value.clientId)},"parentId":${nullable(value.parentId)},"authority":${authorityJson(name(value))},"createdAt":"${iso(value.createdAt)}","activeAt":${time(value.activeAt)},"finishedAt":${time(value.finishedAt)},"updatedAt":"${iso(value.updatedAt)}"}`;
}

/** What stands between the amount and the times of an order that was only accepted: every order of an acknowledgement. */
const UNTOUCHED =
  '"status":"PENDING","quantity":null,"filledQuantity":"0","averagePrice":null,"limitPrice":null,"reduceOnly":false,"attempt":0,"clientOrderId":null,"venueOrderId":null,"error":null,"errorCode":null';

function orderJson(order: Order): string {
  if (isUntouched(order, order.createdAt)) {
    const at = iso(order.createdAt);
    return `{"id":"${order.id}","symbol":${JSON.stringify(order.symbol)},"side":"${order.side}","mode":"${order.mode}","amount":"${order.amount}",${UNTOUCHED},"createdAt":"${at}","updatedAt":"${at}"}`;
  }
  return `{"id":"${order.id}","symbol":${JSON.stringify(order.symbol)},"side":"${order.side}","mode":"${order.mode}","amount":"${order.amount}","status":"${order.status}","quantity":${nullable(order.quantity)},"filledQuantity":"${order.filledQuantity}","averagePrice":${nullable(order.averagePrice)},"limitPrice":${nullable(order.limitPrice)},"reduceOnly":${order.reduceOnly},"attempt":${order.attempt},"clientOrderId":${nullable(order.clientOrderId)},"venueOrderId":${nullable(order.venueOrderId)},"error":${nullable(order.error)},"errorCode":${nullable(order.errorCode)},"createdAt":"${iso(order.createdAt)}","updatedAt":"${iso(order.updatedAt)}"}`;
}

function authorityJson({ kind, name }: ReturnType<NamePlaced>): string {
  return `{"kind":"${kind}","name":${JSON.stringify(name)}}`;
}

function nullable(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

function time(epochMs: number | null): string {
  return epochMs === null ? 'null' : `"${iso(epochMs)}"`;
}
