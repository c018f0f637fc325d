/** One request of a client, over HTTP or a socket: counted, met by the script's faults, then answered by the venue. */
import { answerUnder, Faults } from '../shared/faults.ts';
import type { Asked } from '../shared/listen.ts';
import { json, plain, type Reply } from '../shared/reply.ts';
import { Tap } from '../shared/tap.ts';
import type { Fault } from './faults.ts';
import { ACCOUNT_ROUTES } from './http/account-routes.ts';
import { MARKET_ROUTES } from './http/market-routes.ts';
import { MONEY_ROUTES } from './http/money-routes.ts';
import type { Answer, Route } from './http/route.ts';
import { SEND_ROUTES } from './http/send-tx.ts';
import { MinuteLimit } from './minute-limit.ts';
import { invalidParam, REFUSALS, type Refusal } from './state/refusals.ts';
import type { Venue } from './venue.ts';
import { readForm } from './wire/request-form.ts';
import { CHAINS } from './wire/tx.ts';
import { kindOf } from './wire/tx-shapes.ts';

const ROUTES: Readonly<Record<string, Route>> = {
  ...MARKET_ROUTES,
  ...ACCOUNT_ROUTES,
  ...MONEY_ROUTES,
  ...SEND_ROUTES,
};
const PREFIX = '/api/v1/';

/** Properties of a request that faults and counters need. */
export interface About {
  readonly names: readonly string[];
  readonly account: number | null;
  readonly weight: number;
  readonly method: 'GET' | 'POST';
  /** True: it counts as a transaction, not as a request. */
  readonly isTx: boolean;
  /** All of it, as it came. */
  readonly text: string;
}

export class Desk {
  readonly venue: Venue;
  readonly faults = new Faults<Fault>();
  readonly tap = new Tap();
  /** Null limits count nothing; a standard account has 60 and 60. */
  readonly requests = new MinuteLimit();
  readonly txs = new MinuteLimit();

  constructor(venue: Venue) {
    this.venue = venue;
  }

  get world(): Venue['world'] {
    return this.venue.world;
  }

  now(): number {
    return this.world.now();
  }

  async serve({ method, url, headers, body, text }: Asked): Promise<Reply> {
    const { pathname, searchParams } = new URL(url, 'http://venue');
    const name = pathname.startsWith(PREFIX) ? pathname.slice(PREFIX.length) : pathname;
    const { network } = this.world;
    if (method === 'GET' && name === '/')
      return this.#plainly('status', text, {
        status: 200,
        network_id: CHAINS[network],
        timestamp: Math.floor(this.now() / 1000),
      });
    if (method === 'GET' && name === '/info') {
      const contract_address = '0x0000000000000000000000000000000000000002';
      return this.#plainly('info', text, { contract_address });
    }
    const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
    if (route === undefined || route.method !== method) {
      this.tap.note({ at: this.now(), kind: 'elsewhere', weight: 0, text });
      return plain(404, '404 page not found');
    }
    const posted = method === 'POST' ? readForm(headers['content-type'] ?? '', body) : new Map();
    const fields: Record<string, string> = {
      ...Object.fromEntries(searchParams),
      ...Object.fromEntries(posted ?? []),
    };
    const about = aboutOf(name, route, fields, text);
    return this.answer(about, async () => {
      if (posted === null) return { refused: invalidParam('form is expected') };
      const { authorization } = headers;
      return route.answer(this.venue, fields, authorization ?? null);
    });
  }

  /** Counts a request, lets the script's faults meet it and answers. */
  async answer(about: About, venue: () => Promise<Answer>): Promise<Reply> {
    const { world } = this;
    const now = this.now();
    world.dropExpired();
    this.tap.note({ at: now, kind: about.names.join(' '), weight: about.weight, text: about.text });
    if (!(about.isTx ? this.txs : this.requests).take(now))
      return replyOf({ refused: REFUSALS.tooMany }, 429);
    const names = [...about.names, about.method.toLowerCase()];
    const faults = this.faults.meet(
      names,
      ({ account }) => account === undefined || account === about.account,
    );
    return answerUnder(faults, world.clock, async () => replyOf(await venue()));
  }

  #plainly(kind: string, text: string, fields: object): Reply {
    this.tap.note({ at: this.now(), kind, weight: 0, text });
    return json(fields);
  }
}

export function replyOf(answer: Answer, code = 400): Reply {
  return 'json' in answer ? json(answer.json) : json(answer.refused satisfies Refusal, code);
}

function aboutOf(name: string, route: Route, fields: Readonly<Record<string, string>>, text: string): About {
  const { weight, method } = route;
  const isTx = Object.hasOwn(SEND_ROUTES, name) || name === 'fastwithdraw';
  const asked = fields['account_index'] ?? (fields['by'] === 'l1_address' ? undefined : fields['value']);
  if (!isTx)
    return { names: [name], account: asked === undefined ? null : Number(asked), weight, method, isTx, text };
  return {
    ...aboutTxs(name, fields['tx_type'] ?? fields['tx_types'], fields['tx_info'] ?? fields['tx_infos']),
    weight,
    method,
    text,
  };
}

/** Kinds of the transactions and the account that acts, as far as they can be read. */
export function aboutTxs(
  name: string,
  types: unknown,
  infos: unknown,
): { readonly names: readonly string[]; readonly account: number | null; readonly isTx: true } {
  const numbers = `${types ?? ''}`.match(/\d+/g) ?? [];
  const kinds = new Set(numbers.flatMap((type) => kindOf(Number(type)) ?? []));
  const text = typeof infos === 'string' ? infos : JSON.stringify(infos ?? '');
  const account = /(?:From)?AccountIndex\\*":\s*(\d+)/.exec(text)?.[1];
  return { names: [name, ...kinds], account: account === undefined ? null : Number(account), isTx: true };
}
