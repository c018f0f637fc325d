import { expect } from 'chai';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientMessage, clientMessage } from '../../../gateway/contract/realtime.ts';
import { tandem } from '../../support/command-line.ts';
import { settled } from '../../support/outstanding.ts';
import { serveAs } from '../../support/proving-stand-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = `tdm_${'a'.repeat(43)}`;
const ACCOUNT = {
  id: '01890000-0000-7000-8000-000000000001',
  alias: 'Paper',
  connector: 'paper',
  mode: 'PAPER',
  status: 'READY',
};
const CHANNEL = `user:${ACCOUNT.id}`;

/** Data folder of the gateway that the stand-in plays. */
let dataDir = '';

type Turn = (socket: WebSocket, message: ClientMessage, connection: number) => void;

/** Answers the account list and speaks the realtime protocol as `turn` says. */
async function withRealtime<T>(
  turn: Turn,
  work: (url: string, seen: ClientMessage[]) => Promise<T>,
): Promise<T> {
  const seen: ClientMessage[] = [];
  dataDir = await temporaryFolder();
  const { server, url, close } = await serveAs(dataDir, (_, response) =>
    response.end(JSON.stringify({ tradeAccounts: [ACCOUNT] })),
  );
  const hub = new WebSocketServer({ server, path: '/ws' });
  let connections = 0;
  hub.on('connection', (socket) => {
    connections += 1;
    const connection = connections;
    socket.on('message', (raw) => {
      const message = clientMessage.parse(JSON.parse(String(raw)));
      seen.push(message);
      turn(socket, message, connection);
    });
  });
  try {
    return await work(url, seen);
  } finally {
    for (const socket of hub.clients) socket.terminate();
    await close();
  }
}

const send = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message));
const ack = (socket: WebSocket, id: unknown, seq = 40) =>
  send(socket, { op: 'ack', id, subscriptions: [CHANNEL], authenticated: true, seq: { [CHANNEL]: seq } });
const event = (socket: WebSocket, seq: number, money: object = {}) =>
  send(socket, {
    channel: CHANNEL,
    event: 'execution.completed',
    seq,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...money,
    data: { entityId: `entity-${seq}` },
  });

/** Once what was sent has arrived. */
const cutOff = (socket: WebSocket) => void settled().then(() => socket.terminate());

const tail = (url: string, ...argv: string[]) =>
  tandem(['tail', ...argv], { env: { TANDEM_URL: url, TANDEM_DATA_DIR: dataDir, TANDEM_API_KEY: KEY } });

describe('tail', () => {
  it('authenticates by message, subscribes to the account, and prints its events', async () => {
    const turn: Turn = (socket, message) => {
      ack(socket, message.id);
      if (message.op === 'subscribe') for (const seq of [41, 42]) event(socket, seq);
    };
    await withRealtime(turn, async (url, seen) => {
      const end = await tail(url, '--count', '2', '--from', '7', '--channel', 'status');
      expect([end.code, end.err]).to.deep.equal([0, '']);
      expect(end.out.split('\n')).to.have.length(2);
      expect(end.out).to.contain('execution.completed').and.to.contain('entity-42');
      expect(seen[0]).to.include({ op: 'auth', apiKey: KEY });
      expect(seen[1]).to.deep.include({ op: 'subscribe', channels: [CHANNEL, 'status'], resumeFrom: 7 });
    });
  });

  it('says with each event whose money it is', async () => {
    const turn: Turn = (socket, message) => {
      ack(socket, message.id);
      if (message.op !== 'subscribe') return;
      event(socket, 41, { mode: 'LIVE', network: 'mainnet' });
      event(socket, 42, { mode: 'LIVE', network: 'testnet' });
      event(socket, 43, { mode: 'PAPER', network: null });
    };
    await withRealtime(turn, async (url) => {
      const words = async (...argv: string[]) =>
        (await tail(url, '--count', '3', ...argv)).out.split('\n').map((line) => line.split(/ {2,}/)[2]);
      expect(await words()).to.deep.equal(['LIVE', 'TESTNET', 'PAPER']);
      const { out } = await tail(url, '--count', '3', '--json');
      expect(out.split('\n').map((line) => JSON.parse(line).mode)).to.deep.equal(['LIVE', 'LIVE', 'PAPER']);
    });
  });

  it('resumes after a lost connection where it was', async () => {
    const turn: Turn = (socket, message, connection) => {
      ack(socket, message.id, 40);
      if (message.op !== 'subscribe') return;
      if (connection === 1) {
        event(socket, 41);
        cutOff(socket);
      } else event(socket, 42);
    };
    await withRealtime(turn, async (url, seen) => {
      const end = await tail(url, '--count', '2', '--json');
      expect(end.code).to.equal(0);
      expect(end.out.split('\n').map((line) => JSON.parse(line).seq)).to.deep.equal([41, 42]);
      const subscriptions = seen.filter((message) => message.op === 'subscribe');
      expect(subscriptions[0]).not.to.have.property('resumeFrom');
      expect(subscriptions[1]).to.have.property('resumeFrom', 41);
      expect(end.err).to.contain('Connection lost');
    });
  });

  it('resumes from the acknowledged place when it was cut off before the first event', async () => {
    const turn: Turn = (socket, message, connection) => {
      ack(socket, message.id, 40);
      if (message.op !== 'subscribe') return;
      if (connection === 1) cutOff(socket);
      else event(socket, 41);
    };
    await withRealtime(turn, async (url, seen) => {
      await tail(url, '--count', '1');
      expect(seen.filter((message) => message.op === 'subscribe')[1]).to.have.property('resumeFrom', 40);
    });
  });

  it('gives up with the reason when it is refused', async () => {
    const turn: Turn = (socket, message) =>
      send(socket, { op: 'error', id: message.id, code: 'UNAUTHENTICATED', message: 'Invalid API key' });
    await withRealtime(turn, async (url, seen) => {
      const end = await tail(url);
      expect([end.code, end.err.includes('Invalid API key')]).to.deep.equal([1, true]);
      expect(seen).to.have.length(1);
    });
  });
});
