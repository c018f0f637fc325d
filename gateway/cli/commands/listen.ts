import { randomUUID } from 'node:crypto';
import { eventStream } from '../../client/event-stream.ts';
import { checkAddress } from '../../outgoing/address.ts';
import { post } from '../../outgoing/post.ts';
import { eventIdOf, webhookRequest } from '../../outgoing/requests.ts';
import { newSecret } from '../../outgoing/signature.ts';
import { moneyWord } from '../account-mark.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import { choicesOf, EVENT_NAMES } from '../destinations.ts';
import { watchedSocket } from '../live-socket.ts';
import { accountApi } from '../reach-gateway.ts';
import { wholeOf } from '../resting.ts';
import { stripControls } from '../table.ts';

export const command: Command = {
  usage: 'listen --forward <url>',
  about: [
    "Forwards the account's live events to an address, signed as a webhook signs them, until you stop it.",
    'For writing a receiver: nothing is set up in the gateway, and nothing is tried again.',
    'The secret is made anew for each run, or read from TANDEM_WEBHOOK_SECRET.',
  ],
  flags: [
    { name: '--forward', kind: 'text', value: '<url>', help: 'https, or http to this machine' },
    { name: '--event', kind: 'list', value: '<name>', help: 'Only these events (all)' },
    { name: '--count', kind: 'text', value: '<n>', help: 'Stop after so many events' },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { terminal } = context;
    const forward = context.flags.texts.get('--forward');
    if (forward === undefined) throw usage('say where to with --forward, such as http://127.0.0.1:8080/hook');
    const address = checkAddress(forward);
    if (!address.ok) throw usage(`--forward: ${address.error}`);
    const events = choicesOf(context, '--event', EVENT_NAMES);
    let left = wholeOf(context, '--count', [1, 999_999_999]) ?? Number.POSITIVE_INFINITY;
    const access = await accountApi(context);
    const { account, gateway } = access;
    const secret = context.env['TANDEM_WEBHOOK_SECRET'] || newSecret();
    const { Socket, lost, connected } = watchedSocket(context, gateway);
    const messages = eventStream(
      {
        url: gateway.url,
        realtimeUrl: null,
        credentials: access.credentials,
        socket: async () => Socket,
        read: (message) => ({ kind: 'message' as const, message }),
        lost,
      },
      { channels: [`user:${account.id}`], resumeFrom: {}, signal: context.interrupted },
    );
    let isTold = false;
    for await (const arrival of messages) {
      if (arrival.kind === 'subscribed') {
        connected();
        if (!isTold) {
          terminal.err(
            `${moneyWord(account)}: events of '${stripControls(account.alias)}' go to ${address.value.href}`,
          );
          terminal.err(`They are signed with: ${secret}`);
        }
        isTold = true;
        continue;
      }
      const { event, seq, timestamp, mode, network, data } = arrival.message;
      if (data === undefined || !('entityId' in data)) continue;
      if (events.length > 0 && !events.includes('*') && !events.includes(event)) continue;
      const payload = {
        id: eventIdOf(account.id, seq ?? 0, Date.parse(timestamp)),
        event,
        tradeAccountId: account.id,
        mode: mode ?? account.mode,
        network: network ?? null,
        seq: seq ?? 0,
        timestamp,
        data: { entityId: String(data.entityId) },
      };
      const request = webhookRequest(
        { address: address.value.href },
        { id: randomUUID(), eventId: payload.id, attempts: 0 },
        payload,
        { secret },
        context.clock.now(),
      );
      const outcome = await post(request, context.interrupted);
      const said = outcome.kind === 'failed' ? outcome.reason : String(outcome.status);
      if (isOn(context, '--json')) terminal.out(JSON.stringify({ ...payload, answer: said }));
      else
        terminal.out(stripControls(`${timestamp}  ${event.padEnd(19)}  ${payload.data.entityId}  → ${said}`));
      left -= 1;
      if (left === 0) break;
    }
    return 0;
  },
};
