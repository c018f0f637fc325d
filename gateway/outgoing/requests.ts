/** The request of a delivery: a webhook's signed event, or a message in the form of its service. */
import type { DeliveredEvent, Delivery, Destination } from '../domain/delivery.ts';
import type { OutgoingRequest } from './post.ts';
import type { DestinationSecret } from './secrets.ts';
import { signature } from './signature.ts';

/** Payload of a webhook; `contract/webhooks.ts` has its schema. */
export interface WebhookPayload {
  readonly id: string;
  readonly event: string;
  readonly tradeAccountId: string | null;
  readonly mode: 'PAPER' | 'LIVE';
  readonly network: 'mainnet' | 'testnet' | null;
  readonly seq: number;
  readonly timestamp: string;
  readonly data: { readonly entityId: string };
}

/**
 * Id of an event, by which receivers recognise a repetition. Its time is part of it: after a restored backup numbers
 * come again, for other events.
 */
export function eventIdOf(tradeAccountId: string, seq: number, atMs: number): string {
  return `evt_${tradeAccountId}_${seq}_${atMs.toString(36)}`;
}

export function payloadOf(event: DeliveredEvent): WebhookPayload {
  const { eventId, tradeAccountId, mode, network, seq, occurredAt, entityId } = event;
  const timestamp = new Date(occurredAt).toISOString();
  return {
    id: eventId,
    event: event.event,
    tradeAccountId,
    mode,
    network,
    seq,
    timestamp,
    data: { entityId },
  };
}

export function webhookRequest(
  { address }: Pick<Destination, 'address'>,
  delivery: Pick<Delivery, 'id' | 'eventId' | 'attempts'>,
  payload: WebhookPayload,
  secret: DestinationSecret,
  now: number,
): OutgoingRequest {
  const body = JSON.stringify(payload);
  const { previous, previousUntil = 0 } = secret;
  const secrets = previous !== undefined && now < previousUntil ? [secret.secret, previous] : [secret.secret];
  return {
    url: address,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'tandem-webhooks',
      'tandem-signature': signature(body, now, secrets),
      'tandem-event-id': delivery.eventId,
      'tandem-delivery-id': delivery.id,
      'tandem-attempt': String(delivery.attempts + 1),
    },
    body,
  };
}

/** Longest text of a message: the smallest limit of the services. */
const MAX_TEXT_CHARS = 1_900;

export function messageRequest(
  { kind, address }: Pick<Destination, 'kind' | 'address'>,
  sentence: string,
  { secret, target = '' }: DestinationSecret,
): OutgoingRequest {
  const text = sentence.slice(0, MAX_TEXT_CHARS);
  switch (kind) {
    case 'NTFY':
      return json(
        address,
        { topic: target, title: 'Tandem', message: text },
        secret === '' ? {} : { authorization: `Bearer ${secret}` },
      );
    case 'TELEGRAM':
      return json(`${address.replace(/\/$/, '')}/bot${secret}/sendMessage`, { chat_id: target, text });
    default:
      // DISCORD. Nothing in a sentence mentions anybody.
      return json(secret, { content: text, allowed_mentions: { parse: [] } });
  }
}

function json(url: string, body: object, headers: Readonly<Record<string, string>> = {}): OutgoingRequest {
  return {
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'tandem-notifications', ...headers },
    body: JSON.stringify(body),
  };
}
