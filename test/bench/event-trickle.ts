/** Events of an account at a steady rate: triggers that never fire, each of which is told of. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from './gateway-home.ts';

const AT_ONCE = 4;

export interface EventTrickle {
  /** @returns how many triggers were made */
  stop(): Promise<number>;
}

/** @param perSecond what is aimed at; a gateway that is slower is asked `AT_ONCE` at a time. Rejects in `stop` what went wrong. */
export function startTrickle(
  { port, apiKey, tradeAccountId }: Pick<Gateway, 'port' | 'apiKey' | 'tradeAccountId'>,
  perSecond: number,
): EventTrickle {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const body = JSON.stringify({
    legs: [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '100' },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '100' },
    ],
    condition: { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '99999999999' },
  });
  const headers = {
    'x-api-key': apiKey,
    'x-trade-account-id': tradeAccountId,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const make = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, method: 'POST', path: '/triggers/open', headers, agent },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`a trigger: ${answer.statusCode}`));
          answer.resume().on('end', resolve).on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  let made = 0;
  let stopping = false;
  const began = performance.now();
  const one = async (): Promise<void> => {
    while (!stopping) {
      const due = began + (made * 1_000) / perSecond;
      made += 1;
      await sleep(Math.max(0, due - performance.now()));
      if (!stopping) await make();
    }
  };
  const ended = Promise.all(Array.from({ length: AT_ONCE }, one));
  ended.catch(() => undefined);
  return {
    stop: async () => {
      stopping = true;
      await ended;
      agent.destroy();
      return made;
    },
  };
}
