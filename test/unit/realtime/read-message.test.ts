import { expect } from 'chai';
import { readMessage } from '../../../gateway/realtime/read-message.ts';

const UNKNOWN_OP = 'Unknown op: expected one of auth, subscribe, unsubscribe, ping';

describe('client messages', () => {
  const good: readonly [string, object][] = [
    ['auth by token', { op: 'auth', token: 't' }],
    ['auth by key', { op: 'auth', apiKey: 'k', id: 'a' }],
    ['auth by ticket', { op: 'auth', ticket: 'x', id: 7 }],
    ['subscribe', { op: 'subscribe', channels: ['status'] }],
    ['subscribe, resuming', { op: 'subscribe', channels: ['user:1'], resumeFrom: 0 }],
    ['subscribe, resuming several', { op: 'subscribe', channels: ['user:1'], resumeFrom: { 'user:1': 5 } }],
    ['unsubscribe', { op: 'unsubscribe', channels: ['status'] }],
    ['ping', { op: 'ping' }],
  ];
  for (const [name, message] of good) {
    it(`understand ${name}`, () => {
      expect(readMessage(JSON.stringify(message))).to.deep.equal({ ok: true, value: message });
    });
  }

  const NO_CREDENTIAL = 'Exactly one of token, apiKey and ticket is needed';
  const RESUMED = { op: 'subscribe', channels: ['user:1'] };
  const MANY = { channels: Array.from({ length: 257 }, (_, i) => `prices:${i}`) };
  type Refused = readonly [name: string, text: string | object, code: string, message: string | RegExp];
  /** Refusals of messages whose id, where they have one, is repeated. */
  const bad: readonly Refused[] = [
    ['broken JSON', '{"op":', 'INVALID_JSON', 'The message is not valid JSON'],
    ['empty text', '', 'INVALID_JSON', 'The message is not valid JSON'],
    ['an array', [], 'INVALID_MESSAGE', 'Expected a JSON object with `op`'],
    ['null', 'null', 'INVALID_MESSAGE', 'Expected a JSON object with `op`'],
    ['no op', { id: 'a' }, 'UNKNOWN_OP', UNKNOWN_OP],
    ['an unknown op', { op: 'trade', id: 3 }, 'UNKNOWN_OP', UNKNOWN_OP],
    ['an op of Object', { op: 'toString' }, 'UNKNOWN_OP', UNKNOWN_OP],
    ['an op that is no text', { op: ['ping'] }, 'UNKNOWN_OP', UNKNOWN_OP],
    ['an id that is no id', { op: 'ping', id: {} }, 'INVALID_MESSAGE', /^id: /],
    ['an unknown field', { op: 'ping', x: 1 }, 'INVALID_MESSAGE', /"x"/],
    ['no credential', { op: 'auth', id: 'a' }, 'INVALID_MESSAGE', NO_CREDENTIAL],
    ['two credentials', { op: 'auth', token: 't', apiKey: 'k' }, 'INVALID_MESSAGE', NO_CREDENTIAL],
    ['an empty token', { op: 'auth', token: '' }, 'INVALID_MESSAGE', /^token: /],
    ['no channels', { op: 'subscribe' }, 'INVALID_MESSAGE', /^channels: /],
    ['an empty list', { op: 'subscribe', channels: [] }, 'INVALID_MESSAGE', /^channels: /],
    ['one text', { op: 'subscribe', channels: 'status' }, 'INVALID_MESSAGE', /^channels: /],
    ['a channel that is no text', { op: 'unsubscribe', channels: [1] }, 'INVALID_MESSAGE', /^channels\.0: /],
    ['a negative resumeFrom', { ...RESUMED, resumeFrom: -1 }, 'INVALID_MESSAGE', /^resumeFrom: /],
    ['a fractional resumeFrom', { ...RESUMED, resumeFrom: 1.5 }, 'INVALID_MESSAGE', /^resumeFrom: /],
    [
      'too many channels',
      { op: 'subscribe', id: 1, ...MANY },
      'TOO_MANY_CHANNELS',
      'At most 256 channels a connection',
    ],
  ];
  for (const [name, sent, code, message] of bad) {
    it(`refuse ${name}`, () => {
      const result = readMessage(typeof sent === 'string' ? sent : JSON.stringify(sent));
      if (result.ok) throw new Error('was accepted');
      const id = (sent as { id?: unknown }).id;
      expect(result.error.id).to.equal(typeof id === 'object' || id === undefined ? null : id);
      expect(result.error.code).to.equal(code);
      if (typeof message === 'string') expect(result.error.message).to.equal(message);
      else expect(result.error.message).to.match(message);
    });
  }
});
