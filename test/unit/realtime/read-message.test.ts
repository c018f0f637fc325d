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

  const bad: readonly [string, string, { id?: unknown; code: string; message: string | RegExp }][] = [
    ['broken JSON', '{"op":', { code: 'INVALID_JSON', message: 'The message is not valid JSON' }],
    ['empty text', '', { code: 'INVALID_JSON', message: 'The message is not valid JSON' }],
    ['an array', '[]', { code: 'INVALID_MESSAGE', message: 'Expected a JSON object with `op`' }],
    ['null', 'null', { code: 'INVALID_MESSAGE', message: 'Expected a JSON object with `op`' }],
    ['no op', '{"id":"a"}', { id: 'a', code: 'UNKNOWN_OP', message: UNKNOWN_OP }],
    ['an unknown op', '{"op":"trade","id":3}', { id: 3, code: 'UNKNOWN_OP', message: UNKNOWN_OP }],
    ['an op of Object', '{"op":"toString"}', { code: 'UNKNOWN_OP', message: UNKNOWN_OP }],
    ['an op that is no text', '{"op":["ping"]}', { code: 'UNKNOWN_OP', message: UNKNOWN_OP }],
    ['an id that is no id', '{"op":"ping","id":{}}', { code: 'INVALID_MESSAGE', message: /^id: / }],
    ['an unknown field', '{"op":"ping","x":1}', { code: 'INVALID_MESSAGE', message: /"x"/ }],
    [
      'no credential',
      '{"op":"auth","id":"a"}',
      { id: 'a', code: 'INVALID_MESSAGE', message: 'Exactly one of token, apiKey and ticket is needed' },
    ],
    [
      'two credentials',
      '{"op":"auth","token":"t","apiKey":"k"}',
      { code: 'INVALID_MESSAGE', message: 'Exactly one of token, apiKey and ticket is needed' },
    ],
    ['an empty token', '{"op":"auth","token":""}', { code: 'INVALID_MESSAGE', message: /^token: / }],
    ['no channels', '{"op":"subscribe"}', { code: 'INVALID_MESSAGE', message: /^channels: / }],
    [
      'an empty list',
      '{"op":"subscribe","channels":[]}',
      { code: 'INVALID_MESSAGE', message: /^channels: / },
    ],
    [
      'one text',
      '{"op":"subscribe","channels":"status"}',
      { code: 'INVALID_MESSAGE', message: /^channels: / },
    ],
    [
      'a channel that is no text',
      '{"op":"unsubscribe","channels":[1]}',
      { code: 'INVALID_MESSAGE', message: /^channels\.0: / },
    ],
    [
      'a negative resumeFrom',
      '{"op":"subscribe","channels":["user:1"],"resumeFrom":-1}',
      { code: 'INVALID_MESSAGE', message: /^resumeFrom: / },
    ],
    [
      'a fractional resumeFrom',
      '{"op":"subscribe","channels":["user:1"],"resumeFrom":1.5}',
      { code: 'INVALID_MESSAGE', message: /^resumeFrom: / },
    ],
    [
      'too many channels',
      JSON.stringify({
        op: 'subscribe',
        id: 1,
        channels: Array.from({ length: 257 }, (_, i) => `prices:${i}`),
      }),
      { id: 1, code: 'TOO_MANY_CHANNELS', message: 'At most 256 channels a connection' },
    ],
  ];
  for (const [name, text, expected] of bad) {
    it(`refuse ${name}`, () => {
      const result = readMessage(text);
      if (result.ok) throw new Error('was accepted');
      expect(result.error.id).to.equal(expected.id ?? null);
      expect(result.error.code).to.equal(expected.code);
      if (typeof expected.message === 'string') expect(result.error.message).to.equal(expected.message);
      else expect(result.error.message).to.match(expected.message);
    });
  }
});
