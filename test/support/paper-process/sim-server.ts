/** Lets other processes of this machine use a paper venue, over a loopback socket (see sim-protocol.ts). */
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger, Unsubscribe } from '../../../gateway/engine/ports/system.ts';
import { createLineReader } from '../../../gateway/venues/paper/process/line-reader.ts';
import type {
  SimMessage,
  SimMethod,
  SimMethods,
  SimRequest,
} from '../../../gateway/venues/paper/process/sim-protocol.ts';
import type { PaperVenue } from '../../../gateway/venues/paper/venue/paper-venue.ts';

const HOST = '127.0.0.1';

export interface SimServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a started venue. @param port 0 = a free one */
export async function serveVenue(venue: PaperVenue, port: number, logger: Logger): Promise<SimServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const stop = serveConnection(venue, socket, logger);
    socket.on('close', () => {
      sockets.delete(socket);
      stop();
    });
  });
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the venue server has no port');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

type Handlers = {
  readonly [M in SimMethod]: (
    ...params: SimMethods[M]['params']
  ) => SimMethods[M]['result'] | Promise<SimMethods[M]['result']>;
};

/** Serves a connection. @returns a function that ends its subscriptions */
function serveConnection(venue: PaperVenue, socket: Socket, logger: Logger): Unsubscribe {
  const subscriptions: Unsubscribe[] = [];
  const send = (message: SimMessage) => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
  };
  const handlers = handlersOf(venue, send, subscriptions, new Set());

  const take = <M extends SimMethod>({ id, method, params }: SimRequest<M>) => {
    // Each request gets its own promise at once: requests begin in the order of their arrival, whatever earlier
    // requests wait for.
    new Promise<SimMethods[M]['result']>((resolve) => {
      resolve(handlers[method](...params));
    }).then(
      (result) => send({ kind: 'answer', id, result }),
      (error: unknown) => {
        logger.error({ error, method }, 'the simulated venue failed on a request');
        send({ kind: 'failure', id, message: 'The simulated venue failed' });
      },
    );
  };
  const read = createLineReader(
    (line) => {
      const request = parseRequest(line, handlers);
      if (request === null) socket.destroy();
      else take(request);
    },
    () => socket.destroy(),
  );
  socket.setEncoding('utf8');
  socket.setNoDelay(true);
  socket.on('data', read);
  socket.on('error', () => socket.destroy());
  return () => {
    for (const unsubscribe of subscriptions.splice(0)) unsubscribe();
  };
}

function parseRequest(line: string, handlers: Handlers): SimRequest | null {
  try {
    const parsed: SimRequest = JSON.parse(line);
    return typeof parsed.id === 'number' && Object.hasOwn(handlers, parsed.method) ? parsed : null;
  } catch {
    return null;
  }
}

function handlersOf(
  venue: PaperVenue,
  send: (message: SimMessage) => void,
  subscriptions: Unsubscribe[],
  subscribed: Set<string>,
): Handlers {
  return {
    hello: () => {
      subscriptions.push(venue.marketStream((update) => send({ kind: 'market', update })));
      subscriptions.push(venue.onStatus((status) => send({ kind: 'status', status })));
      return { info: venue.info, instruments: venue.instruments(), status: venue.status() };
    },
    subscribe: (account) => {
      const { exchangeIdentifier } = account;
      if (subscribed.has(exchangeIdentifier)) return null;
      subscribed.add(exchangeIdentifier);
      subscriptions.push(
        venue.accountStream(account, (event) => send({ kind: 'account', exchangeIdentifier, event })),
      );
      return null;
    },
    openAccount: (account) => venue.openAccount(account),
    resetAccount: (account) => venue.resetAccount(account),
    setLeverage: (account, setting) => venue.setLeverage(account, setting),
    changeMargin: (account, change) => venue.changeMargin(account, change),
    placeBatch: (account, orders) => venue.placeBatch(account, orders),
    cancel: (account, order) => venue.cancel(account, order),
    ordersByClientIds: (account, orders) => venue.ordersByClientIds(account, orders),
    openOrders: (account) => venue.openOrders(account),
    positions: (account) => venue.positions(account),
    history: (account, cursor) => venue.history(account, cursor),
    balances: (account) => venue.balances(account),
    expectedFills: (asked) => venue.expectedFills(asked),
    book: (symbol, levels) => venue.book(symbol, levels),
    orders: (account) => venue.orders(account),
    journalHash: () => venue.journalHash(),
    setFaults: (script) => venue.setFaults(script),
    shock: (symbol, factor) => venue.shock(symbol, factor),
  };
}
